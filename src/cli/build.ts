import { resolve } from 'node:path'
import { checkExport } from '../export/check-export.js'
import { readManifest, toExportFolder } from '../export/export-folder.js'
import { type ExportPlan, planExport } from '../export/plan-export.js'
import { writeExport } from '../export/write-export.js'
import { isError } from '../model/problem.js'
import { count } from '../review/count.js'
import { hasFolder } from '../review/lint/scope.js'
import { refuse } from '../review/refusal.js'
import type { Site } from '../review/site.js'
import { createServiceOver } from '../runtime.js'
import { HookError } from '../service/hooks.js'
import { toReason } from '../service/log.js'
import { judgeByRules } from '../service/project-rules.js'
import { isFileError } from '../store/entry.js'
import { type CommandContext, type Flags, needMenus, note, print, reportMenuProblems } from './command.js'
import type { Ending } from './exit-codes.js'
import { readMenus, toHookLog } from './read-menus.js'

type BuildFlags = Flags<'html' | 'check' | 'json'> & { readonly out: string }

/** `menuscript build`: writes what anonymous viewers get as files; with `check`, compares the files that are there. */
export async function build(context: CommandContext, flags: BuildFlags): Promise<Ending> {
  const { terminal, folder } = context
  const site = await needMenus(context, flags)
  const inOut = async <T>(work: (root: string) => T | Promise<T>): Promise<T> => {
    try {
      return await work(toExportFolder(resolve(folder, flags.out), site))
    } catch (thrown) {
      if (!isFileError(thrown)) throw thrown
      return refuse('configuration', `${flags.out} cannot be used: ${toReason(thrown)}`)
    }
  }
  // A file that is not ours is reported before the work.
  await inOut(readManifest)
  const plan = await planOf(context, site, flags.html)
  if (flags.check) {
    const check = await inOut((root) => checkExport(root, plan))
    const { isCurrent, differing } = check
    const what = differing.length > 0 ? differing.join(', ') : 'the manifest'
    print(context, flags.json, check, (paint) =>
      isCurrent ? paint.green('✓ the export is up to date') : paint.red(`out of date: ${what}`),
    )
    return isCurrent ? 'fine' : 'findings'
  }
  const counts = await inOut((root) =>
    writeExport(root, plan, (done, total) => terminal.progress(`writing ${done} of ${total} files`)),
  )
  terminal.progress(null)
  const { menus, until } = plan.manifest
  const anonymous = menus
    .filter(([, variants]) => variants.some((each) => each.anonymous))
    .map(([code]) => code)
  if (anonymous.length > 0) note(context, `exported as anonymous viewers get them: ${anonymous.join(', ')}`)
  if (until !== null) note(context, `a time window opens or closes at ${until}; build again then`)
  print(context, flags.json, { ...counts, anonymous, until }, (paint) => {
    const { files, bytes, written, unchanged, removed } = counts
    const what = `${written} written, ${unchanged} unchanged, ${removed} removed`
    return paint.green(`✓ ${count(files, 'file')}, ${Math.ceil(bytes / 1024)} KB: ${what}`)
  })
  return 'fine'
}

/** What is exported of faultless menus. */
async function planOf(context: CommandContext, site: Site, html: boolean): Promise<ExportPlan> {
  const { terminal } = context
  const snapshot = await readMenus(context, site)
  const problems = judgeByRules(snapshot.problems, site.options.lint.rules)
  const errors = problems.filter(isError)
  if (errors.length > 0) {
    reportMenuProblems(terminal, site, errors)
    const reason = hasFolder(snapshot) ? 'findings' : 'configuration'
    refuse(reason, `build needs menus without errors (${count(errors.length, 'error')})`)
  }
  // Such an item has no link.
  reportMenuProblems(
    terminal,
    site,
    problems.filter(({ code }) => code === 'unknown-route'),
  )
  if (snapshot.files.length === 0) note(context, `there is no menu file in ${site.menusFolder}`)
  const service = await createServiceOver(site, toHookLog(context), async () => snapshot)
  const onProgress = (done: number, total: number): void =>
    terminal.progress(`building ${done} of ${total} menus`)
  try {
    const plan = await planExport(service, { html, onProgress })
    terminal.progress(null)
    if (service.failures() === 0) return plan
  } catch (thrown) {
    if (!(thrown instanceof HookError)) throw thrown
    refuse('configuration', `such a request gets a 500: ${toReason(thrown)}`)
  }
  return refuse('configuration', 'a hook failed, so menus would be incomplete')
}
