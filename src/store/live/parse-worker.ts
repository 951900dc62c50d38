import { parentPort, workerData } from 'node:worker_threads'
import { type ParseOptions, parseMenuFile } from '../../document/parse.js'
import { contentHash } from '../hash.js'
import type { ParseTask, Ready } from './parser.js'

// The thread that parses large files and batches, so that no request waits for them.
const { limits, vocabulary } = workerData as Omit<ParseOptions, 'hash'>

parentPort?.on('message', ({ id, path, bytes }: ParseTask) => {
  parentPort?.postMessage({ id, file: parseMenuFile(path, bytes, { limits, vocabulary, hash: contentHash }) })
})

parentPort?.postMessage('ready' satisfies Ready)
