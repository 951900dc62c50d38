import { posix } from 'node:path'
import { parse } from 'yaml'
import { kitText } from './kit.js'

type Value = string | number | boolean | null | Values | readonly Value[]
interface Values {
  readonly [key: string]: Value
}

/** A manifest, as far as the tests look into it. */
export type Manifest = Values & {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: { readonly name: string }
}

interface Kustomization {
  readonly resources: readonly string[]
  readonly patches?: readonly { readonly path: string; readonly target?: { readonly kind: string } }[]
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[]
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[]
}

/** What a folder of manifests comes to, as `kubectl kustomize` builds it; only the names of ConfigMaps have no hash. */
export function buildManifests(folder: string): readonly Manifest[] {
  const read = (path: string): unknown => parse(kitText(posix.join(folder, path)))
  const {
    resources,
    patches = [],
    images = [],
    configMapGenerator = [],
  } = read('kustomization.yaml') as Kustomization
  const found = resources.flatMap((path) =>
    path.endsWith('.yaml') ? [read(path) as Manifest] : buildManifests(posix.join(folder, path)),
  )
  const patched = patches.reduce<readonly Manifest[]>((manifests, { path, target }) => {
    if (target !== undefined) {
      const steps = read(path) as readonly Step[]
      return manifests.map((each) => (each.kind === target.kind ? steps.reduce(take, each) : each))
    }
    const patch = read(path) as Manifest
    const isMeant = ({ kind, metadata }: Manifest): boolean =>
      kind === patch.kind && metadata.name === patch.metadata.name
    if (!manifests.some(isMeant)) throw new Error(`${path} is for no manifest`)
    return manifests.map((each) => (isMeant(each) ? (merge(each, patch) as Manifest) : each))
  }, found)
  const maps = configMapGenerator.map(({ name, files }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.fromEntries(files.map((path) => [posix.basename(path), kitText(posix.join(folder, path))])),
  }))
  const named = images.reduce(
    (text, { name, newName, newTag }) =>
      text.replaceAll(`"image":"${name}"`, `"image":"${newName}:${newTag}"`),
    JSON.stringify(patched),
  )
  return [...(JSON.parse(named) as Manifest[]), ...maps]
}

/** A step of a JSON patch, to a key of maps. */
interface Step {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: Value
}

function take(manifest: Manifest, { op, path, value }: Step): Manifest {
  const copy = structuredClone(manifest)
  const keys = path.split('/').slice(1)
  const last = keys.pop() ?? ''
  const place = keys.reduce<Values>((map, key) => map[key] as Values, copy) as Record<string, Value>
  if (op !== 'add' && !(last in place)) throw new Error(`There is no ${path}`)
  if (op === 'remove') delete place[last]
  else place[last] = value ?? null
  return copy
}

/** A strategic merge: maps are merged, lists by the names of their entries, and null deletes. */
function merge(before: Value | undefined, patch: Value): Value {
  if (Array.isArray(patch)) {
    const kept = Array.isArray(before) ? (before as readonly Value[]) : []
    if (!patch.every((entry) => isMap(entry) && 'name' in entry)) return patch
    const others = kept.filter((entry) => !patch.some((each) => keyOf(each) === keyOf(entry)))
    const merged = patch
      .filter((entry) => (entry as Values)['$patch'] !== 'delete')
      .map((entry) =>
        merge(
          kept.find((each) => keyOf(each) === keyOf(entry)),
          entry,
        ),
      )
    return [...merged, ...others]
  }
  if (!isMap(patch)) return patch
  const base: Values = isMap(before) ? before : {}
  const changed = Object.entries(patch).map(
    ([key, value]) => [key, value === null ? null : merge(base[key], value)] as const,
  )
  return Object.fromEntries(
    Object.entries({ ...base, ...Object.fromEntries(changed) }).filter(([, value]) => value !== null),
  )
}

function isMap(value: Value | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is one entry of a list: mounts may share a name, and have a path of their own. */
function keyOf(entry: Value): Value | undefined {
  return isMap(entry) ? (entry['mountPath'] ?? entry['name']) : undefined
}
