import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { get } from '../support/http.js'
import { menuscript, serving } from './command.js'
import { inProject } from './project.js'

const CONFIG = 'menuscript.config.yaml'
const MENU = 'version: 1\ncode: a\nname: A\nitems:\n  - label: { en: Home }\n    url: /x\n'

function configured(rules: string): Readonly<Record<string, string>> {
  const text = `locales: [en, es]\nroutes: { home: / }\nlint: { rules: { ${rules} } }\n`
  return { [CONFIG]: text, 'menus/a.yaml': MENU }
}

/** Exit code, counts, and the problems with their severities. */
async function told(
  files: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<readonly unknown[]> {
  return inProject(files, async ({ run }) => {
    const { code, stdout } = await run('lint', '--json', ...args)
    const { errors, warnings, problems } = JSON.parse(stdout) as {
      errors: number
      warnings: number
      problems: { code: string; severity: string }[]
    }
    return [code, errors, warnings, ...problems.map((each) => `${each.severity} ${each.code}`)]
  })
}

test('A warning is a finding if the project makes it an error, and nothing if it is off', async () => {
  assert.equal(await told(configured('')), [0, 0, 1, 'warning missing-translation'])
  assert.equal(await told(configured('missing-translation: error')), [1, 1, 0, 'error missing-translation'])
  assert.equal(await told(configured('missing-translation: off'), '--max-warnings', '0'), [0, 0, 0])
})

test('An optional rule judges where it is turned on', async () => {
  const rules = 'missing-translation: off, unknown-path:'
  assert.equal(await told(configured(`${rules} warning`)), [0, 0, 1, 'warning unknown-path'])
  assert.equal(await told(configured(`${rules} error`)), [1, 1, 0, 'error unknown-path'])
})

test('Warnings that are not listed are raised, too, and count for --max-warnings', async () => {
  const items = '  - label: { en: Home }\n    url: /\n'.repeat(60)
  const of = async (rules: string, ...args: readonly string[]) => {
    const all = await told({ ...configured(rules), 'menus/a.yaml': MENU + items }, ...args)
    return [...all.slice(0, 3), all.length - 3]
  }
  assert.equal(await of('missing-translation: error'), [1, 61, 0, 50])
  assert.equal(await of('', '--max-warnings', '60'), [1, 0, 61, 50])
  assert.equal(await of('', '--max-warnings', '61'), [0, 0, 61, 50])
})

test('A raised warning withholds nothing: the menu is served, also with --strict, and stays a warning there', () =>
  serving(
    configured('missing-translation: error'),
    async ({ url }) => {
      assert.match((await get(`${url}/api/menu/a`)).text, '"label":"Home"')
      const ready = (await get(`${url}/readyz`)).json() as {
        status: string
        errors: number
        warnings: number
      }
      assert.equal([ready.status, ready.errors, ready.warnings], ['ok', 0, 1])
    },
    { args: ['--strict'] },
  ))

test('Every form reports the severity that the project gave', () =>
  inProject(configured('missing-translation: error'), async ({ run, dir }) => {
    const of = async (form: string) => (await run('lint', '--format', form)).stdout
    assert.match(await of('text'), 'menus/a.yaml:5:5 error missing-translation')
    assert.match(await of('github'), /^::error file=menus\/a\.yaml,line=5/)
    assert.match(await of('sarif'), '"level": "error",\n          "message"')
    assert.match(await of('gitlab'), '"severity": "critical"')
    const { stdout } = await menuscript(['config'], { cwd: dir })
    assert.match(stdout, /lint\.rules +\{"missing-translation":"error"\} +menuscript\.config\.yaml:3/)
  }))

test('The service and lint judge menus alike: of each rule they report the same', () => {
  const item = (text: string) => `  - { label: { en: A, es: B }, ${text} }\n`
  const variant = (name: string, context: string) =>
    `version: 1\ncode: a\nname: ${name}\ncontext: ${context}\nitems: []\n`
  const items = [
    item('routeName: user'),
    item('routeName: user, routeParams: { uid: 3 }'),
    item('url: /nowhere'),
    item('url: /, permissions: [reports.veiw]'),
    item('type: section, children: [{ type: divider }]'),
    '  # menuscript-disable-next-line missing-translation\n',
    item('url: /'),
  ]
  const files = {
    [CONFIG]:
      'locales: [en, es]\nroutes: { home: /, user: "/users/:id" }\npermissions: [reports.view]\n' +
      'lint: { rules: { unknown-path: error } }\n',
    'menus/a.yaml': `version: 1\ncode: a\nname: A\nitems:\n${items.join('')}`,
    'menus/b.yaml': variant('B', '{ partner: 3 }'),
    'menus/c.yaml': variant('C', '{ partner: "3" }'),
  }
  return serving(files, async ({ url, folder }) => {
    const ready = (await get(`${url}/readyz`)).json() as { problems: { at: string; code: string }[] }
    const { stdout } = await menuscript(['lint', '--json'], { cwd: folder.dir })
    const told = JSON.parse(stdout) as {
      problems: { path: string; line: number; column: number; code: string }[]
    }
    const lines = told.problems.map(({ path, line, column, code }) => `${path}:${line}:${column} ${code}`)
    assert.equal(
      lines,
      ready.problems.map(({ at, code }) => `menus/${at} ${code}`),
    )
    const codes = [
      'missing-parameter',
      'unknown-parameter',
      'unknown-path',
      'unknown-permission',
      'never-visible',
    ]
    assert.equal(
      told.problems.map(({ code }) => code),
      [...codes, 'unused-disable', 'near-duplicate-context'],
    )
    const sarif = await menuscript(['lint', '--format', 'sarif'], { cwd: folder.dir })
    assert.match(
      sarif.stdout,
      /"relatedLocations": \[\s*\{\s*"physicalLocation": \{\s*"artifactLocation": \{\s*"uri": "menus\/b.yaml"/,
    )
  })
})

test('A comment in the file keeps a problem from being reported, in lint as in the service', () => {
  const comment = '  # menuscript-disable-next-line missing-translation -- a name\n  - label'
  const files = { ...configured(''), 'menus/a.yaml': MENU.replace('  - label', comment) }
  return serving(files, async ({ url, folder }) => {
    assert.is(((await get(`${url}/readyz`)).json() as { warnings: number }).warnings, 0)
    const { code, stdout } = await menuscript(['lint', '--max-warnings', '0'], { cwd: folder.dir })
    assert.equal([code, stdout], [0, '✓ 1 file, 0 errors, 0 warnings\n'])
  })
})

interface Finding {
  readonly description: string
  readonly check_name: string
  readonly fingerprint: string
  readonly severity: string
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } }
}

test('GitLab knows a finding by its fingerprint, which stays when its line moves', () =>
  inProject(configured(''), async ({ run, write }) => {
    write('menus/a.yaml', `${MENU}  - label: { en: Home }\n    url: /\n`)
    const findings = async () => JSON.parse((await run('lint', '--format', 'gitlab')).stdout) as Finding[]
    const before = await findings()
    assert.equal(
      before.map(({ check_name, severity, location }) => [
        check_name,
        severity,
        location.path,
        location.lines.begin,
      ]),
      [
        ['missing-translation', 'minor', 'menus/a.yaml', 5],
        ['missing-translation', 'minor', 'menus/a.yaml', 7],
      ],
    )
    for (const { description, fingerprint } of before) {
      assert.match(description, /^No text in Spanish \(es\)\. Add Spanish\./)
      assert.match(fingerprint, /^[0-9a-f]{32}$/)
    }
    assert.is(new Set(before.map(({ fingerprint }) => fingerprint)).size, 2)
    write('menus/a.yaml', `# moved\n\n${MENU}  - label: { en: Home }\n    url: /\n`)
    const after = await findings()
    assert.equal(
      after.map(({ location }) => location.lines.begin),
      [7, 9],
    )
    assert.equal(
      after.map(({ fingerprint }) => fingerprint),
      before.map(({ fingerprint }) => fingerprint),
    )
  }))

test('A window that is over is a warning that a project can change, and an empty one an error', async () => {
  const menuWith = (window: string) => `version: 1\ncode: a\nname: A\n${window}\nitems: []\n`
  const past = 'visibleUntil: 2020-01-01T00:00:00Z'
  const judged = (window: string, rules = ''): Promise<readonly unknown[]> =>
    told({ [CONFIG]: `lint: { rules: { ${rules} } }\n`, 'menus/a.yaml': menuWith(window) })
  assert.equal(await judged(past), [0, 0, 1, 'warning window-past'])
  assert.equal(await judged(past, 'window-past: error'), [1, 1, 0, 'error window-past'])
  assert.equal(await judged(past, 'window-past: off'), [0, 0, 0])
  assert.equal(await judged('visibleUntil: 2999-01-01T00:00:00Z'), [0, 0, 0])
  assert.equal(await judged(`visibleFrom: 2021-01-01T00:00:00Z\n${past}`), [1, 1, 0, 'error window-empty'])
})

test.run()
