import { InvalidArgumentError } from 'commander'

export function parsePort(text: string): string {
  const isPort = /^\d{1,5}$/.test(text) && Number(text) <= 65_535
  return valid(text, isPort, 'It must be a number from 0 to 65535.')
}

export function parseCode(text: string): string {
  return valid(text, text !== '', 'It must not be empty.')
}

export function parseCount(text: string): number {
  return Number(valid(text, /^\d{1,9}$/.test(text), 'It must be a whole number, 0 or more.'))
}

function valid(text: string, isValid: boolean, rule: string): string {
  if (isValid) return text
  throw new InvalidArgumentError(rule)
}
