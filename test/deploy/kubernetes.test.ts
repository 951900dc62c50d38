import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '@kubernetes-models/base'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim'
import { Service } from 'kubernetes-models/v1/Service'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ROOT } from '../readme/readme.js'
import { eventually } from '../support/eventually.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { createRepository } from '../support/repository.js'
import { COMMANDS } from './commands.js'
import { fetchIn } from './container.js'
import { CAN_CHROOT } from './image.js'
import { kitPaths, kitText } from './kit.js'
import { buildManifests, type Manifest } from './manifests.js'
import { probedPaths, startPod, workloadOf } from './pod.js'

const OVERLAYS = [
  'kubernetes/base',
  'kubernetes/overlays/configmap',
  'kubernetes/overlays/dashboard',
  'kubernetes/overlays/git',
  'kubernetes/overlays/replicas',
]

/** The published schemas, by kind, each with the file of its type. */
const KINDS: Readonly<Record<string, readonly [new (manifest: never) => Model<unknown>, string]>> = {
  ConfigMap: [ConfigMap, 'v1/ConfigMap'],
  Deployment: [Deployment, 'apps/v1/Deployment'],
  NetworkPolicy: [NetworkPolicy, 'networking.k8s.io/v1/NetworkPolicy'],
  PersistentVolumeClaim: [PersistentVolumeClaim, 'v1/PersistentVolumeClaim'],
  PodDisruptionBudget: [PodDisruptionBudget, 'policy/v1/PodDisruptionBudget'],
  Service: [Service, 'v1/Service'],
  StatefulSet: [StatefulSet, 'apps/v1/StatefulSet'],
}

const every = new Map(OVERLAYS.map((folder) => [folder, buildManifests(folder)]))

test('All manifests are valid by the published schemas', () => {
  for (const manifest of [...every.values()].flat()) {
    const [Kind] = KINDS[manifest.kind] ?? []
    assert.ok(Kind, manifest.kind)
    new Kind(manifest as never).validate()
  }
})

test('They have no key that is not in the schemas', async () => {
  const typed = (manifests: readonly Manifest[]): string =>
    manifests
      .map(({ ...manifest }, at) => {
        const path = `${ROOT}/node_modules/kubernetes-models/${KINDS[manifest.kind]?.[1]}`
        return `const a${at}: import('${path}').I${manifest.kind} = ${JSON.stringify(manifest)}\nvoid a${at}`
      })
      .join('\n')
  const all = [...every.values()].flat()
  const folder = createMenusFolder({
    'fine.ts': typed(all),
    'wrong.ts': typed(all).replaceAll('"readinessProbe"', '"readynessProbe"'),
  })
  const args = ['--noEmit', '--skipLibCheck', '--module', 'nodenext', 'fine.ts', 'wrong.ts']
  const { stdout } = await runProcess(`${ROOT}/node_modules/.bin/tsc`, args, { cwd: folder.dir })
  const faults = stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '))
  assert.equal([...new Set(faults.map((line) => line.split('(')[0]))], ['wrong.ts'], stdout)
  folder.close()
})

test('Each file of the folder belongs to a kustomization', () => {
  const left = kitPaths().filter(
    (path) => path.startsWith('kubernetes/') && !path.endsWith('/kustomization.yaml'),
  )
  const texts = OVERLAYS.map((folder) => kitText(`${folder}/kustomization.yaml`)).join('\n')
  for (const path of left) {
    const [, name = ''] = /^kubernetes\/(?:base|overlays\/\w+)\/(.+)$/.exec(path) ?? []
    assert.match(texts, new RegExp(`[ -/]${name.replace('.', '\\.')}$`, 'm'), path)
  }
})

test('Pods meet the profile "restricted", and no Service of the namespace sets their options', () => {
  for (const manifests of every.values()) {
    const pod = workloadOf(manifests).spec?.template.spec
    assert.is(pod?.securityContext?.runAsNonRoot, true)
    assert.is(pod?.securityContext?.seccompProfile?.type, 'RuntimeDefault')
    for (const { securityContext } of [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])]) {
      assert.equal(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
    assert.is(pod?.enableServiceLinks, false)
  }
})

test('With menus from a ConfigMap, the pod is ready, and serves a change of the ConfigMap', async () => {
  if (!CAN_CHROOT) return console.log('    not tried: only root can change the root folder')
  const manifests = every.get('kubernetes/overlays/configmap') ?? []
  const [menus, config] = ['menuscript-menus', 'menuscript-config'].map((name) => mountedMap(manifests, name))
  const mounts = { '/srv/menus': menus?.folder.dir ?? '', '/etc/menuscript': config?.folder.dir ?? '' }
  await startPod(manifests, mounts, async (container) => {
    const paths = probedPaths(workloadOf(manifests))
    const found = await fetchIn(container, ...paths, '/api/menu/main', '/admin/menus')
    for (const path of paths) assert.match(found, `${path} 200 `)
    assert.match(found, '/api/menu/main 200 [{"label":"Home"')
    assert.match(found, '/admin/menus 404 ')
    menus?.update((text) => text.replace('Home', 'Start'))
    await eventually(() => assert.is(container.log().split('menus_loaded').length, 3))
    assert.match(await fetchIn(container, '/api/menu/main'), '200 [{"label":"Start"')
  })
})

test('With menus from git, the pod clones the repository, and serves a commit that is pushed later', async () => {
  if (!CAN_CHROOT) return console.log('    not tried: only root can change the root folder')
  const manifests = every.get('kubernetes/overlays/git') ?? []
  const menu = kitText('kubernetes/overlays/configmap/menus/main.yaml')
  const repository = createRepository({ 'menus/main.yaml': menu })
  const volume = createMenusFolder()
  chownSync(volume.dir, 1000, 1000)
  // The host is a folder, which git serves to its owner only.
  await runProcess('chown', ['-R', '1000:1000', repository.dir])
  chmodSync(repository.dir, 0o755)
  const env = {
    MENUSCRIPT_STORAGE_GIT_REMOTE: '/srv/host',
    MENUSCRIPT_STORAGE_GIT_TOKEN_FILE: 'null',
    MENUSCRIPT_STORAGE_GIT_INTERVAL: '1',
  }
  const mounts = { '/data': volume.dir, '/srv/host': repository.dir }
  await startPod(
    manifests,
    mounts,
    async (container) => {
      const paths = probedPaths(workloadOf(manifests))
      const found = await fetchIn(container, ...paths, '/api/menu/main')
      for (const path of paths) assert.match(found, `${path} 200 `)
      assert.match(found, '/api/menu/main 200 [{"label":"Home"')
      const commit = 'sed -i s/Home/Start/ menus/main.yaml && git commit --quiet --all --message Rename'
      assert.equal(await container.execute('sh', '-euc', `cd /srv/host && ${commit}`), [0, ''])
      await eventually(() => assert.match(container.log(), 'remote_followed'))
      await eventually(async () =>
        assert.match(await fetchIn(container, '/api/menu/main'), '200 [{"label":"Start"'),
      )
    },
    env,
  )
  volume.close()
  repository.close()
})

test('With the dashboard, the first start fills the volume, and the next one knows the first user', async () => {
  if (!CAN_CHROOT) return console.log('    not tried: only root can change the root folder')
  const manifests = every.get('kubernetes/overlays/dashboard') ?? []
  const volume = createMenusFolder()
  chownSync(volume.dir, 1000, 1000)
  await startPod(manifests, { '/data': volume.dir }, async (container) => {
    const add = `printf 'a long password\\n' | ${COMMANDS.addUser} --password-stdin`
    assert.is((await container.execute('sh', '-c', add))[0], 0)
    const { backUpPod, restorePod } = COMMANDS
    const script = `${backUpPod} > /tmp/data.tgz && (${restorePod}) < /tmp/data.tgz && menuscript user list`
    assert.match((await container.execute('sh', '-c', script))[1], /^ana /m)
    assert.match(container.log(), 'there is no dashboard')
    assert.match(await fetchIn(container, '/admin/menus'), ' 404 ')
    assert.is(await container.stop(), 0)
  })
  await startPod(manifests, { '/data': volume.dir }, async (container) => {
    const paths = probedPaths(workloadOf(manifests))
    const found = await fetchIn(container, ...paths, '/api/menu/main')
    for (const path of paths) assert.match(found, `${path} 200 `)
    assert.match(found, '/api/menu/main 200 [{"label":"Home"')
    assert.not.match(container.log(), 'there is no dashboard')
  })
  volume.close()
})

interface MountedMap {
  readonly folder: MenusFolder
  readonly update: (change: (text: string) => string) => void
}

/** The volume of a ConfigMap as the kubelet makes it: links into a folder that is replaced at once. */
function mountedMap(manifests: readonly Manifest[], name: string): MountedMap {
  const { data } = manifests.find(({ metadata }) => metadata.name === name) as unknown as {
    data: Record<string, string>
  }
  const folder = createMenusFolder()
  chmodSync(folder.dir, 0o755)
  const update: MountedMap['update'] = (change) => {
    const version = `..${Date.now()}`
    mkdirSync(join(folder.dir, version))
    for (const [file, text] of Object.entries(data)) folder.write(`${version}/${file}`, change(text))
    symlinkSync(version, join(folder.dir, '..new'))
    renameSync(join(folder.dir, '..new'), join(folder.dir, '..data'))
  }
  update((text) => text)
  for (const file of Object.keys(data)) symlinkSync(`..data/${file}`, join(folder.dir, file))
  return { folder, update }
}

test.run()
