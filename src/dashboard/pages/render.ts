/// <reference path="./nunjucks-slim.d.ts" />
import nunjucks from 'nunjucks/browser/nunjucks-slim.min.js'
import { TEMPLATES } from './compiled.js'

const environment = new nunjucks.Environment(new nunjucks.PrecompiledLoader(TEMPLATES), {
  autoescape: true,
  throwOnUndefined: true,
})

/** The HTML of a template, in which every value is escaped. Throws where it prints a value that its model lacks. */
export function render(template: string, model: object): string {
  return environment.render(`${template}.njk`, model)
}
