/** What the shop sells: `rooms` and `campaigns` are those of the menus. */
const GOODS = [
  { name: 'Aura', category: 'pendants', price: 129, rooms: ['living-room', 'kitchen'], isNew: true },
  { name: 'Fjell', category: 'tables', price: 89, rooms: ['living-room'], isNew: true },
  { name: 'Brisa', category: 'floors', price: 219, rooms: ['living-room'] },
  { name: 'Faro', category: 'lanterns', price: 49, rooms: ['garden'], campaigns: ['winter-lights', 'gifts'] },
  { name: 'Luna', category: 'walls', price: 45, rooms: ['kitchen', 'garden'], isNew: true },
  { name: 'Ember', category: 'led-candles', price: 19, rooms: [], campaigns: ['winter-lights', 'gifts'] },
  { name: 'Stella', category: 'fairy-lights', price: 24, rooms: ['garden'], campaigns: ['winter-lights'] },
  {
    name: 'Nocturne',
    category: 'tables',
    price: 39,
    rooms: ['living-room'],
    campaigns: ['gifts'],
    isNew: true,
  },
]

const ORDERS = [
  { number: 10427, state: 'ready', total: 129 },
  { number: 10426, state: 'in-production', total: 438 },
  { number: 10424, state: 'shipped', total: 64 },
  { number: 10419, state: 'returned', total: 45 },
  { number: 10411, state: 'shipped', total: 219 },
]

/** The goods of a page: those that its address asks for, with prices in its language. */
export function goodsFor(locale, { category, room, campaign }, { maxPrice }, isNew) {
  const wanted = GOODS.filter(
    (lamp) =>
      (category === undefined || lamp.category === category) &&
      (room === undefined || lamp.rooms.includes(room)) &&
      (campaign === undefined || lamp.campaigns?.includes(campaign)) &&
      (maxPrice === undefined || lamp.price < Number(maxPrice)) &&
      (!isNew || lamp.isNew),
  )
  return wanted.map((lamp) => ({ ...lamp, price: toMoney(locale, lamp.price) }))
}

/** Orders in a state; all of them when the address names none. */
export function ordersFor(locale, state) {
  const wanted = ORDERS.filter((order) => state === undefined || order.state === state)
  return wanted.map((order) => ({ ...order, total: toMoney(locale, order.total) }))
}

export function toMoney(locale, amount) {
  const style = { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }
  return new Intl.NumberFormat(locale, style).format(amount)
}
