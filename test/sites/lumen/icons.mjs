/** What our menus name as icons: lines of 24 by 24, drawn in the colour of the text beside them. */
const SHIELD = 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z'
const SHEET = 'M14 3H6v18h12V7zM14 3v4h4'
const CALENDAR = 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4'
const DISC = 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0'
const LETTER = 'M3 6h18v12H3zM3 7l9 7 9-7'
const PERCENT = 'M19 5L5 19M9 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0M19 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0'
const WHEELS = 'M9 18a2 2 0 1 1-4 0 2 2 0 0 1 4 0M20 18a2 2 0 1 1-4 0 2 2 0 0 1 4 0'

const ICONS = {
  'bi:bag': 'M5 8h14l1 13H4zM8.5 8V7a3.5 3.5 0 0 1 7 0v1',
  'bi:bank': 'M3 9l9-5 9 5zM4 20h16M6 9v8M10 9v8M14 9v8M18 9v8',
  'bi:box-arrow-in-right': 'M10 4h9v16h-9M3 12h11M10 8l4 4-4 4',
  'bi:box-arrow-right': 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  'bi:box-seam': 'M12 3l8 4v10l-8 4-8-4V7zM4 7l8 4 8-4M12 11v10M8 5l8 4',
  'bi:calendar-event': `${CALENDAR}M14 14h2v2h-2z`,
  'bi:chat-dots': 'M4 5h16v11H10l-5 4v-4H4zM8.5 10.5h.01M12 10.5h.01M15.5 10.5h.01',
  'bi:credit-card': 'M3 6h18v12H3zM3 10h18M6 15h4',
  'bi:envelope': LETTER,
  'bi:exclamation-triangle': 'M12 4l9.5 16h-19zM12 10v5M12 17.5v.01',
  'bi:file-earmark-pdf': `${SHEET}M9 17c2-2 3-4 3-6 1 3 2 4 3 4.5-2 0-4 .5-6 1.5`,
  'bi:filetype-csv': `${SHEET}M9 12h6M9 16h6M12 12v4`,
  'bi:gear':
    'M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2',
  'bi:geo-alt': 'M12 21s-7-6-7-11a7 7 0 0 1 14 0c0 5-7 11-7 11zM14.5 10a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0',
  'bi:gift': 'M3 8h18v4H3zM5 12v9h14v-9M12 8v13M12 8C9 8 7 7 7 5s3-2.5 5 3c2-5.5 5-5 5-3s-2 3-5 3',
  'bi:graph-up': 'M4 4v16h16M8 15l4-5 3 3 5-7',
  'bi:heart': 'M12 20S4 15 4 9.5a4.2 4.2 0 0 1 8-2 4.2 4.2 0 0 1 8 2C20 15 12 20 12 20z',
  'bi:house': 'M3 11.5 12 4l9 7.5M5.5 10v10h13V10M10 20v-6h4v6',
  'bi:instagram':
    'M4 7a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3zM16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M17 7v.01',
  'bi:people':
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.5.7 3.5 2.8 3.5 5.5',
  'bi:person-circle': `${DISC}M15 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0M6 18.5c1-2.5 3-3.5 6-3.5s5 1 6 3.5`,
  'bi:person-plus': 'M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M3 20c0-4 3-6 7-6s7 2 7 6M19 8v6M16 11h6',
  'bi:receipt': 'M5 3v18l2.5-2 2.5 2 2-2 2 2 2.5-2 2.5 2V3zM9 8h6M9 12h6',
  'bi:shield-lock': `${SHIELD}M9.5 11.5h5v4h-5zM10.5 11.5v-1.5a1.5 1.5 0 0 1 3 0v1.5`,
  'bi:snow2': 'M12 2v20M3.5 7l17 10M20.5 7l-17 10M9 3.5l3 2.5 3-2.5M9 20.5l3-2.5 3 2.5',
  'bi:speedometer2': 'M4.5 18a9 9 0 1 1 15 0zM12 14l4-5',
  'bi:stars':
    'M10 4l1.8 5.2L17 11l-5.2 1.8L10 18l-1.8-5.2L3 11l5.2-1.8zM18 15l.8 2.2L21 18l-2.2.8L18 21l-.8-2.2L15 18l2.2-.8z',
  'bi:telephone':
    'M5 3h4l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v4c0 1-1 2-2 2C10.5 20.5 3.5 13.5 3 5c0-1 1-2 2-2z',
  'bi:translate': 'M3 6h10M8 4v2M11 6c0 4-3 8-7 9M5.5 9c1 3 3.5 5 6.5 6M12 21l4.5-11L21 21M13.5 17.5h6',
  'bi:truck': `M5 18H2V6h12v12H9M14 10h4l4 4v4h-2M16 18h-2${WHEELS}`,
  'lucide:activity': 'M2 12h4l3-8 5 16 3-8h5',
  'lucide:calendar-clock': `${CALENDAR}M12 13v3h3`,
  'lucide:circle-question-mark': `${DISC}M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .9-1 1.7M12 17v.01`,
  'lucide:code-xml': 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  'lucide:flask-conical': 'M9 3h6M10 3v6L5 20h14L14 9V3M7.5 15h9',
  'lucide:folder-tree': 'M4 3v15h6M4 8h6M10 5h10v6H10zM10 15h10v6H10z',
  'lucide:handshake': 'M2 8l4-2 6 3 6-3 4 2M4 8v7l7 5 2-1 5-4V8M9 12l3-3 5 5',
  'lucide:lamp': 'M8 3h8l4 9H4zM12 12v8M8 21h8',
  'lucide:lamp-ceiling': 'M12 2v6M4 16l4-8h8l4 8zM9.5 16a2.5 2.5 0 0 0 5 0',
  'lucide:lamp-desk': 'M5 21h9M9.5 21v-5L6 10l6-4M11 8l3-5 7 5-3 5z',
  'lucide:layers': 'M12 3l9 5-9 5-9-5zM3 12l9 5 9-5M3 16l9 5 9-5',
  'lucide:life-buoy': `${DISC}M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0M5.6 5.6l4 4M14.4 14.4l4 4M5.6 18.4l4-4M14.4 9.6l4-4`,
  'lucide:lightbulb': 'M9 17c0-2-3-3.5-3-7a6 6 0 0 1 12 0c0 3.5-3 5-3 7zM9.5 20.5h5',
  'lucide:mail': LETTER,
  'lucide:message-square-quote': 'M4 4h16v13H9l-5 4zM9 8.5v4M9 8.5h1.5M14 8.5v4M14 8.5h1.5',
  'lucide:percent': PERCENT,
  'lucide:recycle':
    'M4 14l3-5 3 2M7 9l-3-.5M9 5l3-2 4 6M16 5.5V9h-3.5M20 14l-2 5h-7M13.5 16.5L11 19l2.5 2.5M4 14l2 5h2',
  'lucide:rocket':
    'M12 3c4 3 5 7 5 11H7c0-4 1-8 5-11zM7 12l-3 3v3l3-2M17 12l3 3v3l-3-2M10 18l2 3 2-3M12 9v.01',
  'lucide:shield-check': `${SHIELD}M8.5 12l2.5 2.5 4.5-5`,
  'lucide:star': 'M12 3l2.7 5.8 6.3.8-4.6 4.3 1.2 6.3L12 17l-5.6 3.2 1.2-6.3L3 9.6l6.3-.8z',
  'lucide:store':
    'M4 9l1.5-5h13L20 9M4 9a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0A2.7 2.7 0 0 0 20 9M5.5 12v8h13v-8M10 20v-5h4v5',
  'lucide:tags': 'M4 4h7l9 9-7 7-9-9zM8 8h.01',
  'lucide:undo-2': 'M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4',
  'lucide:warehouse': 'M3 20V9l9-5 9 5v11M7 20v-8h10v8M7 16h10',
}

/** What points somewhere points the other way where one reads from the right. */
const DIRECTED = ['bi:box-arrow-in-right', 'bi:box-arrow-right', 'bi:truck', 'bi:graph-up', 'lucide:undo-2']

/** The stylesheet of all icons: each `<span data-icon="…">` that it knows becomes visible. */
export function toIconStyles() {
  const rules = Object.entries(ICONS).map(([name, path]) => `${select(name)}{--icon:url("${toImage(path)}")}`)
  const known = Object.keys(ICONS).map(select)
  return [
    '[data-icon]{display:none}',
    `${known.join(',')}{display:inline-block;flex:none;inline-size:1.25em;block-size:1.25em;vertical-align:-.25em;` +
      'background:currentColor;mask:var(--icon) center/contain no-repeat}',
    ...rules,
    `:is(${DIRECTED.map(select).join(',')}):dir(rtl){scale:-1 1}`,
    '@media (forced-colors:active){[data-icon]{forced-color-adjust:none;background:LinkText}}',
  ].join('\n')
}

function select(name) {
  return `[data-icon="${name}"]`
}

function toImage(path) {
  const stroke =
    "fill='none' stroke='%23000' stroke-width='1.6' stroke-linecap='round' stroke-linejoin='round'"
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' ${stroke}%3E%3Cpath d='${path}'/%3E%3C/svg%3E`
}
