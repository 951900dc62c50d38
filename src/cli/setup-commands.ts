import { type Command, Option } from 'commander'
import { ROLES } from '../service/hooks.js'
import type { Run } from './command.js'
import { parseCount, parsePort } from './flag-parsers.js'

/** What adds options that several commands share, and what runs a command. */
interface Shared {
  readonly addConfig: (command: Command) => Command
  readonly addMenus: (command: Command) => Command
  readonly run: Run
}

/** Adds the commands that manage a deployment or a clone: users, links and git. */
export function addSetupCommands(program: Command, { addConfig, addMenus, run }: Shared): void {
  const user = program.command('user').description('manage who can sign in to the dashboard')
  const withUser = (name: string, description: string): Command =>
    addConfig(user.command(name)).description(description).argument('<name>', 'the name of the user')
  const withPassword = (command: Command): Command =>
    command.option('--password-stdin', 'read the password from standard input, not from the terminal', false)
  withPassword(withUser('add', 'add a user with a password'))
    .addOption(new Option('--role <role>', 'the role of the user').choices(ROLES).default('view'))
    .action(run(async () => (await import('./user.js')).addUser))
  withPassword(withUser('passwd', 'change the password of a user, which ends their sessions')).action(
    run(async () => (await import('./user.js')).changePassword),
  )
  withUser('remove', 'remove a user, which ends their sessions').action(
    run(async () => (await import('./user.js')).removeUser),
  )
  addConfig(user.command('list'))
    .description('print the users with their roles')
    .option('--json', 'as JSON', false)
    .action(run(async () => (await import('./user.js')).listUsers))

  addConfig(program.command('link'))
    .description('print a one-time link that signs in to the dashboard of a running service')
    .option('--name <name>', 'the name of the person who signs in, for drafts, commits and the history')
    .option('--host <address>', 'the address that the service listens on, if it was set by a flag')
    .option('--port <number>', 'the port that the service listens on, if it was set by a flag', parsePort)
    .option('--json', 'as JSON', false)
    .action(run(async () => (await import('./link.js')).link))

  addConfig(program.command('merge-driver'))
    .description('merge three versions of a menu file; git calls it after menuscript git setup')
    // For a file of any name: clones with an older setup have no -- before it.
    .passThroughOptions()
    .argument('<base>', 'the common ancestor, %O')
    .argument('<ours>', 'our version, which the result replaces, %A')
    .argument('<theirs>', 'their version, %B')
    .argument('<path>', 'the path of the file, for messages, %P')
    .option('--ancestor', 'merge several common ancestors into one', false)
    .option('--marker-size <number>', 'the length of conflict markers, %L', parseCount, 7)
    .action(run(async () => (await import('./merge-driver.js')).mergeDriver))

  const git = program.command('git').description('configure git for menus')
  addMenus(git.command('setup'))
    .description('set up this clone to merge menus item by item')
    .option('--remove', 'remove the setup', false)
    .option('--check', 'only check the setup; exit code 1 if it is incomplete', false)
    .option('--json', 'print the result as JSON', false)
    .action(run(async () => (await import('./git-setup.js')).gitSetup))
}
