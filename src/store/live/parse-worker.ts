import { parentPort, workerData } from 'node:worker_threads'
import { parseMenuFile } from '../../document/parse.js'
import { toPacked } from '../../document/read/to-menu.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import type { ParserMessage, ParseTask } from './parser.js'

// The thread that parses large files and batches, so that no request waits for them.
const { limits, vocabulary } = workerData as ReadOptions
const answer = (message: ParserMessage): void => parentPort?.postMessage(message)

parentPort?.on('message', ({ path, bytes }: ParseTask) => {
  const file = parseMenuFile(path, bytes, { limits, vocabulary, hash: contentHash })
  answer({ ...file, menu: file.menu && toPacked(file.menu) })
})

answer('ready')
