import { parentPort, workerData } from 'node:worker_threads'
import { readDocument } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import { contentHash } from '../hash.js'
import type { ReadOptions } from '../read-options.js'
import type { ParserMessage, ParseTask } from './parser.js'

// The thread that parses large files and batches, so that no request waits for them.
const { limits, vocabulary } = workerData as ReadOptions
const answer = (message: ParserMessage): void => parentPort?.postMessage(message)

parentPort?.on('message', ({ path, bytes }: ParseTask) => {
  const document = readDocument(path, bytes, limits)
  answer(judgeDocument(document, { limits, vocabulary, hash: contentHash }))
})

answer('ready')
