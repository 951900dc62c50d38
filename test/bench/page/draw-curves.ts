import type { Result } from '../report.js'

/** One panel: what is on its axes, and the curves in it. */
export interface Panel {
  readonly title: string
  readonly across: string
  readonly lines: readonly {
    readonly name: string
    readonly points: readonly (readonly [x: number, y: number])[]
  }[]
}

const COLUMNS = 2
const [WIDTH, HEIGHT] = [420, 260]
const PLOT = { left: 56, right: 96, top: 44, bottom: 44 }

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #3d4451; }
  .title { font-size: 14px; font-weight: 600; fill: #1b1f27; }
  .grid { stroke: #e3e6ea; }
  path { fill: none; stroke-width: 2; stroke-linejoin: round; }
  .line-0, .name-0 { --of: #0b63a5; } .line-1, .name-1 { --of: #666d78; } .line-2, .name-2 { --of: #a0500b; }
  path { stroke: var(--of); } circle { fill: var(--of); } .name { fill: var(--of); }
  @media (prefers-color-scheme: dark) {
    .page { fill: #14171c; } text { fill: #b9c0cb; } .title { fill: #eceff4; } .grid { stroke: #2b3038; }
    .line-0, .name-0 { --of: #6db6f2; } .line-1, .name-1 { --of: #9aa1ac; } .line-2, .name-2 { --of: #eda15f; }
  }
`

/** Small panels with logarithmic axes, light or dark as the reader has it. */
export function drawPanels(panels: readonly Panel[], about: string): string {
  const height = Math.ceil(panels.length / COLUMNS) * HEIGHT
  const all = panels.map((panel, place) => {
    const [x, y] = [(place % COLUMNS) * WIDTH, Math.floor(place / COLUMNS) * HEIGHT]
    return `<g transform="translate(${x} ${y})">\n${drawPanel(panel)}\n</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${COLUMNS * WIDTH} ${height}" role="img">
<title>${about}</title>
<style>${STYLE}  .page { fill: #fff; }
  @media (prefers-color-scheme: dark) { .page { fill: #14171c; } }
</style>
<rect class="page" width="100%" height="100%"/>
${all.join('\n')}
</svg>
`
}

function drawPanel({ title, across, lines }: Panel): string {
  const every = lines.flatMap(({ points }) => points)
  const toX = scale(
    every.map(([x]) => x),
    PLOT.left,
    WIDTH - PLOT.right,
  )
  const ticks = ticksOf(every.map(([, y]) => y))
  const toY = scale(ticks, HEIGHT - PLOT.bottom, PLOT.top)
  const grid = ticks.map((tick) => {
    const y = toY(tick)
    const line = `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${y}" y2="${y}"/>`
    return `${line}<text x="${PLOT.left - 8}" y="${y + 4}" text-anchor="end">${short(tick)}</text>`
  })
  const counts = [...new Set(every.map(([x]) => x))].map(
    (x) => `<text x="${toX(x)}" y="${HEIGHT - PLOT.bottom + 18}" text-anchor="middle">${short(x)}</text>`,
  )
  const labels = apart(lines.map(({ points }) => toY(points.at(-1)?.[1] ?? 1)))
  const drawn = lines.map(({ name, points }, place) => {
    const places = points.map(([x, y]) => `${toX(x)} ${toY(y)}`)
    const dots = places.map((each) => `<circle cx="${each.replace(' ', '" cy="')}" r="3"/>`)
    const label = `<text class="name name-${place}" x="${WIDTH - PLOT.right + 10}" y="${(labels[place] ?? 0) + 4}">${name}</text>`
    return `<g class="line-${place}"><path d="M${places.join('L')}"/>${dots.join('')}</g>${label}`
  })
  const heading = `<text class="title" x="${PLOT.left - 36}" y="24">${title}</text>`
  const axis = `<text x="${(PLOT.left + WIDTH - PLOT.right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${across}</text>`
  return [heading, axis, ...grid, ...counts, ...drawn].join('\n')
}

/** Puts values on a logarithmic axis, to a tenth of a pixel. */
function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))]
  return (value) => Math.round((from + ((Math.log(value) - low) / (high - low || 1)) * (to - from)) * 10) / 10
}

/** 1, 2 and 5 times the powers of ten around some values. */
function ticksOf(values: readonly number[]): readonly number[] {
  const steps = [-1, 0, 1, 2, 3, 4, 5].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power))
  const first = steps.findLastIndex((step) => step <= Math.min(...values))
  const last = steps.findIndex((step) => step >= Math.max(...values))
  const around = steps.slice(first, last + 1)
  return around.length > 7
    ? around.filter((step) => /^[0.]*1/.test(`${step}`) || step === steps[last])
    : around
}

/** Moves labels that would cover each other. */
function apart(places: readonly number[]): readonly number[] {
  const order = places.map((y, place) => ({ y, place })).sort((a, b) => a.y - b.y)
  for (const [at, each] of order.entries()) each.y = Math.max(each.y, (order[at - 1]?.y ?? -20) + 15)
  return order.sort((a, b) => a.place - b.place).map(({ y }) => y)
}

function short(value: number): string {
  return value < 1_000 ? `${value}` : `${value / 1_000}k`
}

/** The points of a curve. */
export function pointsOf(
  results: readonly Result[],
  curve: string,
  of: 'ours' | 'baseline' = 'ours',
): [number, number][] {
  return results
    .flatMap(({ at, ...values }): [number, number][] => (at?.curve === curve ? [[at.count, values[of]]] : []))
    .sort(([a], [b]) => a - b)
}
