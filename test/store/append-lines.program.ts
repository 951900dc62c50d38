// Appends lines to the audit log of a folder, whose files are small. Arguments: FOLDER, the start of the lines, how many.
import { openAudit } from '../../src/store/audit.js'

const [folder = '', start, count] = process.argv.slice(2)
const audit = openAudit(folder, { bytes: 200, files: 100 })
for (let line = 0; line < Number(count); line++) audit.append(`${start} ${line}`)
