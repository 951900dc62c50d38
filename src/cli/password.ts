import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { refuse } from '../review/refusal.js'
import { isPassword, MAX_PASSWORD, MIN_PASSWORD } from '../store/passwords.js'

/** Reads a new password: twice from the terminal, which shows none of it, or once from standard input. */
export async function readPassword(isFromInput: boolean): Promise<string> {
  if (!isFromInput && !process.stdin.isTTY)
    return refuse('usage', 'there is no terminal to ask for the password; pass --password-stdin')
  const password = isFromInput ? await readInput() : await ask()
  if (isPassword(password)) return password
  const rule = `${MIN_PASSWORD} to ${MAX_PASSWORD.toLocaleString('en')} characters`
  return refuse('usage', `a password has ${rule}`)
}

/** What is piped in, without the line break at its end. */
async function readInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > 2 * MAX_PASSWORD) break
  }
  return text.replace(/\r?\n$/, '')
}

async function ask(): Promise<string> {
  const mute = new Writable({ write: (_chunk, _encoding, written) => written() })
  const lines = createInterface({ input: process.stdin, output: mute, terminal: true, historySize: 0 })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  const askFor = async (what: string): Promise<string> => {
    process.stderr.write(`${what}: `)
    const answer = await lines.question('', { signal: ended.signal }).catch(() => null)
    process.stderr.write('\n')
    return answer ?? refuse('findings', 'no password was given; nothing was changed')
  }
  try {
    const password = await askFor('Password')
    if ((await askFor('Repeat the password')) === password) return password
    return refuse('findings', 'the passwords differ; nothing was changed')
  } finally {
    lines.close()
  }
}
