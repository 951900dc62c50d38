import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'

/** As many as a PNG with a palette can have. */
const COLOURS = 256

/** A third of the size: the same picture with the palette of its most frequent colours. `page` decodes it. */
export async function toSmallPng(png: Buffer, page: Page): Promise<Buffer> {
  const [width, height, base64] = await page.evaluate<[number, number, string]>(`(async () => {
    const answer = await fetch('data:image/png;base64,${png.toString('base64')}')
    const image = await createImageBitmap(await answer.blob())
    const { width, height } = image
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    const { data } = canvas.getImageData(0, 0, width, height)
    const reader = new FileReader()
    const read = new Promise((resolve) => (reader.onload = resolve))
    reader.readAsDataURL(new Blob([data]))
    await read
    return [width, height, reader.result.split(',')[1]]
  })()`)
  const pixels = Buffer.from(base64, 'base64')
  const colours = Array.from({ length: width * height }, (_, place) => pixels.readUIntBE(place * 4, 3))
  const palette = mostFrequent(colours)
  const places = new Map([...new Set(colours)].map((colour) => [colour, nearest(palette, colour)]))
  const rows = Buffer.alloc(height * (width + 1))
  // Each row begins with its filter: 0, none (PNG, section 9.2).
  for (const [place, colour] of colours.entries())
    rows[Math.floor(place / width) * (width + 1) + 1 + (place % width)] = places.get(colour) ?? 0
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    toChunk('IHDR', head),
    toChunk('PLTE', Buffer.from(palette.flatMap(toParts))),
    toChunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

function mostFrequent(colours: readonly number[]): readonly number[] {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour)
  return sorted.slice(0, COLOURS)
}

/** The place of the colour of the palette that is most like this one. */
function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((each) => distance(each, colour))
  return distances.indexOf(Math.min(...distances))
}

function distance(a: number, b: number): number {
  const [parts, others] = [toParts(a), toParts(b)]
  return parts.reduce((sum, part, place) => sum + (part - (others[place] ?? 0)) ** 2, 0)
}

/** Red, green and blue. */
function toParts(colour: number): readonly number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}

function toChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
