/** Any one of these opens the back office. */
const STAFF = ['orders.view', 'products.view', 'reports.view', 'stock.view']

/** Language, then a page of the shop: the template, and the menus that the page is looked for in. */
const SHOP = [
  { path: '/:locale', view: 'home', menus: [], title: 'home' },
  { path: '/:locale/new', view: 'lamps', menus: ['main'] },
  { path: '/:locale/sale', view: 'lamps', menus: ['main'], title: 'sale' },
  { path: '/:locale/lamps{/:category}', view: 'lamps', menus: ['main'] },
  { path: '/:locale/rooms/:room', view: 'lamps', menus: ['main'] },
  { path: '/:locale/campaigns/:campaign', view: 'lamps', menus: ['main'] },
  { path: '/:locale/gift-cards', view: 'article', menus: ['main'] },
  { path: '/:locale/about', view: 'article', menus: ['footer'] },
  { path: '/:locale/legal/:page', view: 'article', menus: ['footer'] },
  { path: '/:locale/help{/:topic{/:id}}', view: 'help', menus: ['help', 'main', 'footer'], title: 'help' },
  { path: '/:locale/sell{/:page}', view: 'sell', menus: ['sell'], title: 'sell' },
]

const ACCOUNT = [
  { path: '/account' },
  { path: '/account/orders{/:state}', hasOrders: true },
  { path: '/account/wishlist' },
  { path: '/account/settings/:page' },
]

/** A menu that hides a link protects nothing: the page itself asks for permissions, any one of these. */
const OFFICE = [
  { path: '/office', anyOf: STAFF, hasFigures: true },
  { path: '/office/orders{/:state}', anyOf: ['orders.view'] },
  { path: '/office/customers', anyOf: ['customers.view'] },
  { path: '/office/products', anyOf: ['products.view'] },
  { path: '/office/categories', anyOf: ['categories.edit'] },
  { path: '/office/reviews', anyOf: ['reviews.moderate', 'customers.support'] },
  { path: '/office/partners', anyOf: ['partners.view'] },
  { path: '/office/payouts', anyOf: ['payouts.view'] },
  { path: '/office/reports/:report', anyOf: ['reports.view'] },
  { path: '/office/settings{/:page}', anyOf: ['settings.manage'] },
  { path: '/office/partners/:id', anyOf: STAFF, hasFigures: true },
  { path: '/office/partners/:id/orders{/:state}', anyOf: ['orders.view'] },
  { path: '/office/partners/:id/quotes', anyOf: ['quotes.answer'] },
  { path: '/office/partners/:id/products', anyOf: ['products.view', 'products.edit'] },
  { path: '/office/partners/:id/prices', anyOf: ['products.edit', 'prices.edit'] },
  { path: '/office/partners/:id/stock{/:warehouse}', anyOf: ['stock.view'] },
  { path: '/office/partners/:id/payouts', anyOf: ['payouts.view'] },
]

const FILES = [
  {
    path: '/downloads/*file',
    file: { name: 'light-planner.pdf', type: 'pdf', text: '%PDF-1.4\n%%EOF\n' },
  },
  {
    path: '/office/partners/:id/exports/:report.csv',
    isPrivate: true,
    anyOf: ['payouts.view'],
    file: { name: 'export.csv', type: 'csv', text: 'order;total\n10427;129\n' },
  },
]

/** What is behind each route of `menuscript.config.yaml`; signing in and out stand in accounts.mjs. */
export const PAGES = [
  ...SHOP,
  { path: '/account/sign-up', view: 'article', menus: ['account'], title: 'account' },
  ...ACCOUNT.map((page) => ({
    ...page,
    view: 'account',
    menus: ['account'],
    title: 'account',
    isPrivate: true,
  })),
  ...OFFICE.map((page) => ({
    ...page,
    view: 'office',
    menus: ['sidebar'],
    title: 'backOffice',
    isPrivate: true,
  })),
  ...FILES,
]

/** Whether a user may open a page: partners see their own back office, and Lumen's staff all of them. */
export function mayOpen({ path, anyOf }, user, { id }) {
  if (anyOf === undefined) return true
  if (!anyOf.some((permission) => user.permissions.includes(permission))) return false
  if (id !== undefined) return user.partnerId === Number(id) || user.permissions.includes('partners.view')
  return user.partnerId === null || !path.startsWith('/office')
}

/** Where a user's own work begins. */
export function toHome(user) {
  if (user.partnerId !== null) return `/office/partners/${user.partnerId}`
  return user.permissions.some((permission) => STAFF.includes(permission)) ? '/office' : '/account'
}
