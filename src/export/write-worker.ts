import { parentPort, workerData } from 'node:worker_threads'
import { type HashedFile, writeHashed } from './hashed-files.js'

/** Writes some files of an export in a thread. */
const { root, files } = workerData as { readonly root: string; readonly files: readonly HashedFile[] }
for (const file of files) writeHashed(root, file)
parentPort?.postMessage('done')
