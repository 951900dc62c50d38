import { done, failed } from '../../../model/result.js'
import { exportAll } from '../../api/exchange.js'
import { problemOf } from '../../api/faults.js'
import type { Page } from '../page.js'
import type { Shown } from '../shown.js'

/** All menus, or the one of a file, as a JSON file. */
export function exportPage({ editing, current }: Shown): Page {
  return {
    role: 'view',
    show: ({ query, operator }) => {
      const file = query.get('file')
      if (file !== undefined && !current().served.has(file)) return failed(problemOf('no-file'))
      const { value, fault } = exportAll(editing, {
        operator,
        query: new Map(file === undefined ? [] : [['file', file]]),
      })
      if (fault !== null) return failed(fault)
      return done({
        json: `${JSON.stringify(value.value, null, 2)}\n`,
        fileName: toFileName(file ?? 'menus'),
      })
    },
  }
}

/** The name of a menu file without its folder and its ending, in characters that need no quoting. */
function toFileName(file: string): string {
  const name = file.replace(/^.*\//, '').replace(/\.ya?ml$/, '')
  return `${name.replaceAll(/[^\w.-]/g, '_')}.json`
}
