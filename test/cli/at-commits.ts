import { join } from 'node:path'
import { createRepository, type TestRepository } from '../support/repository.js'
import { menuscript, type Outcome } from './command.js'

/** A project in a git repository while a test uses it. */
export interface CommittedProject extends TestRepository {
  /** Runs the command in it, or in a folder of it. */
  readonly run: (...args: readonly string[]) => Promise<Outcome>
  readonly runIn: (folder: string, ...args: readonly string[]) => Promise<Outcome>
}

/** Runs a test in an empty repository, which goes behind it. */
export async function inCommits(test: (project: CommittedProject) => Promise<void>): Promise<void> {
  const repository = createRepository()
  const runIn: CommittedProject['runIn'] = (folder, ...args) =>
    menuscript(args, { cwd: join(repository.dir, folder) })
  try {
    await test({ ...repository, runIn, run: (...args) => runIn('.', ...args) })
  } finally {
    repository.close()
  }
}

/** The lines of an output, with the names of commits replaced by seven zeros. */
export function toRows(output: string): readonly string[] {
  return output
    .replace(/\b[0-9a-f]{7,40}\b/g, '0000000')
    .trimEnd()
    .split('\n')
}
