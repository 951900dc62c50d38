// A new language is a file here, and a line below.
export { default as ar } from './ar.json' with { type: 'json' }
export { default as de } from './de.json' with { type: 'json' }
export { default as en } from './en.json' with { type: 'json' }
export { default as es } from './es.json' with { type: 'json' }
