// Appends lines to the audit log of a folder, whose files are small. Arguments: FOLDER, the start of the lines, how many.
import { SILENT_LOG } from '../../src/service/log.js'
import { openAudit } from '../../src/store/audit.js'

const [folder = '', start, count] = process.argv.slice(2)
const audit = openAudit(folder, SILENT_LOG, { bytes: 500, files: 200, youngFiles: 200, age: 0 })
for (let line = 0; line < Number(count); line++)
  audit.record({ user: `${start} ${line}`, via: 'test', address: null, action: 'change' as const })
