import type { Command } from 'commander'
import { toNearest } from '../document/did-you-mean.js'

/** Names that other programs have for our commands. */
const SYNONYMS: Readonly<Record<string, string>> = {
  blame: 'annotate',
  build: 'compile dist export generate static',
  config: 'options settings',
  diff: 'compare',
  explain: 'preview why',
  'git setup': 'setup',
  link: 'login signin',
  lint: 'check status test validate verify',
  'lint --fix': 'fix',
  list: 'ls menus',
  log: 'history',
  init: 'bootstrap scaffold',
  new: 'add create make',
  serve: 'dev run server start watch',
  show: 'cat',
  translations: 'i18n locale translate translation xliff',
  types: 'codegen typegen typescript',
  user: 'account passwd password users',
}

/** The message for a word that is not a command, with the one that was probably meant. */
export function unknownCommand(program: Command, word: string): string {
  const names = program.commands.map((command) => command.name())
  // A command of git has no other names.
  const ours = program.parent === null ? Object.entries(SYNONYMS) : []
  const [synonym] = ours.find(([, others]) => others.split(' ').includes(word.toLowerCase())) ?? []
  const meant = synonym ?? toNearest(word, names)
  const suggestion = meant === null ? '' : `\n(Did you mean ${meant}?)`
  return `error: unknown command '${word}'${suggestion}`
}

/** Adds `help`: commander's own prints all commands for an unknown one, and exits as if all were fine. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('print the commands, or the options of one command')
    .argument('[command...]', 'the command')
    .action((words: readonly string[]) => {
      let command = program
      for (const word of words) {
        const next = command.commands.find((each) => each.name() === word)
        if (next === undefined) return void program.error(unknownCommand(command, word), { exitCode: 2 })
        command = next
      }
      command.outputHelp()
    })
}
