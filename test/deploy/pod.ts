import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import * as assert from 'uvu/assert'
import { type Container, inContainer } from './container.js'
import type { Manifest } from './manifests.js'
import { siteImage } from './site.js'

/** What makes the pods. */
type Workload = IDeployment | IStatefulSet

export function workloadOf(manifests: readonly Manifest[]): Workload {
  return manifests.find(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind)) as unknown as Workload
}

/** Starts a pod as its manifests say: its init containers, then the command, with its variables, as its user. */
export async function startPod(
  manifests: readonly Manifest[],
  mounts: Readonly<Record<string, string>>,
  work: (container: Container) => Promise<void>,
  changed: Readonly<Record<string, string>> = {},
): Promise<void> {
  const pod = workloadOf(manifests).spec?.template.spec
  const [{ command = [], env = [], volumeMounts = [] } = {}] = pod?.containers ?? []
  const inits = (pod?.initContainers ?? []).map(({ command: [, , script = ''] = [] }) => script)
  const { runAsUser = 0, runAsGroup = 0 } = pod?.securityContext ?? {}
  const script = [...inits, `exec ${command.join(' ')}`].join('\n')
  const variables = env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
  const options = { command: ['sh', '-euc', script], user: `${runAsUser}:${runAsGroup}`, mounts }
  const volumes = [...(pod?.volumes ?? []), ...volumesOfClaims(manifests)].map(({ name }) => name)
  for (const { name } of volumeMounts) assert.ok(volumes.includes(name), name)
  await inContainer(
    await siteImage(),
    { ...options, env: { ...Object.fromEntries(variables), ...changed } },
    work,
  )
}

/** The volumes that each pod gets for itself. */
function volumesOfClaims(manifests: readonly Manifest[]): readonly { readonly name: string | undefined }[] {
  const { spec } = workloadOf(manifests)
  const claims = (spec && 'volumeClaimTemplates' in spec && spec.volumeClaimTemplates) || []
  return claims.map(({ metadata }) => ({ name: metadata?.name }))
}

/** The paths of the probes, which name the port of the service. */
export function probedPaths({ spec }: Workload): readonly string[] {
  const [{ startupProbe, readinessProbe, livenessProbe, ports } = {}] = spec?.template.spec?.containers ?? []
  return [startupProbe, readinessProbe, livenessProbe].map((probe) => {
    assert.is(ports?.find(({ name }) => name === probe?.httpGet?.port)?.containerPort, 4400)
    return probe?.httpGet?.path ?? ''
  })
}
