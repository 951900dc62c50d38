import { toShellWord } from './shell-word.js'

/** The sites that `init` knows, each with the package that shows it. */
export const SITES = {
  eleventy: '@11ty/eleventy',
  express: 'express',
  fastify: 'fastify',
  polka: 'polka',
  client: null,
  none: null,
} as const

/** What renders the menus: a site of `SITES`, `client` for a script in the browser or elsewhere, `none` for nothing of these. */
export type SiteKind = keyof typeof SITES

/** Where the files of a starter go: paths from the top of the work tree, with `/`. */
export interface StarterPlace {
  /** The folder of the configuration; `''` for the top. */
  readonly folder: string
  /** The menus folder, from that folder. */
  readonly menus: string
  readonly host: 'github' | 'gitlab'
}

/** The site that the packages of a project belong to; `none` where none is known. */
export function toSiteKind(packages: ReadonlySet<string>): SiteKind {
  const kinds = Object.entries(SITES) as [SiteKind, string | null][]
  return kinds.find(([, name]) => name !== null && packages.has(name))?.[0] ?? 'none'
}

/** The configuration of a project whose menus are not in `menus`. */
export function toStarterConfig(menus: string): string {
  return `storage:\n  connections: { default: ${JSON.stringify(menus)} }\n`
}

/** The job that checks menus before they are merged: its path, and its text. */
export function toCiJob({ folder, menus, host }: StarterPlace): {
  readonly path: string
  readonly text: string
} {
  if (host === 'gitlab') return { path: '.gitlab-ci.yml', text: toGitlabJob(folder) }
  const inFolder =
    folder === '' ? '' : `    defaults: { run: { working-directory: ${JSON.stringify(folder)} } }\n`
  const paths = [menus, 'menuscript.config.*'].map((path) => (folder === '' ? path : `${folder}/${path}`))
  const watched = [`${paths[0]}/**`, paths[1], '.github/workflows/menus.yml']
  const text = `name: Menus
on:
  pull_request:
    paths: ${JSON.stringify(watched)}
permissions: { contents: read }
jobs:
  lint:
    runs-on: ubuntu-latest
${inFolder}    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 }
      - uses: actions/setup-node@v4
        with: { node-version: 20 }
      - run: npm ci
      - run: npx --no-install menuscript lint --changed "$BASE" --format github --max-warnings 0
        env: { BASE: '\${{ github.event.pull_request.base.sha }}' }
`
  return { path: '.github/workflows/menus.yml', text }
}

function toGitlabJob(folder: string): string {
  const enter = folder === '' ? '' : `    - cd ${toShellWord(folder)}\n`
  return `menus:
  image: node:20
  script:
${enter}    - npm ci
    - npx --no-install menuscript lint --format gitlab --max-warnings 0 > "$CI_PROJECT_DIR/gl-code-quality-report.json"
  artifacts:
    when: always
    reports: { codequality: gl-code-quality-report.json }
`
}

/** The hook of git that checks what is staged, before it is committed. */
export function toPreCommitHook(folder: string): string {
  const [from, to] =
    folder === '' ? ['$PWD', '$staged'] : ['$PWD', '$staged'].map((top) => `${top}"/${toShellWord(folder)}"`)
  return `#!/bin/sh
# lint reads files on disk: check a copy of what is staged.
set -e
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
git checkout-index --all --prefix="$staged/"
if [ -d "${from}/node_modules" ]; then ln -s "${from}/node_modules" "${to}/node_modules"; fi
PATH="${from}/node_modules/.bin:$PATH"
cd "${to}"
menuscript lint --max-warnings 0
`
}

/** What to write into a site so that it shows the menus. */
export function toFirstLines(site: SiteKind): readonly string[] {
  if (site === 'none') return []
  if (site === 'eleventy')
    return ["import menuscript from 'menuscript/eleventy'", 'eleventyConfig.addPlugin(menuscript)']
  if (site === 'client')
    return [
      "import { createMenuClient } from 'menuscript/client'",
      "const menus = createMenuClient('http://127.0.0.1:4400/api/menu')",
      "const tree = await menus.tree('main')",
    ]
  return [
    "import { openMenus, registerMenuGlobals } from 'menuscript'",
    'const menus = await openMenus()',
    'registerMenuGlobals(views, menus.service)',
    site === 'fastify' ? "app.addHook('onRequest', menus.handler)" : 'app.use(menus.handler)',
  ]
}
