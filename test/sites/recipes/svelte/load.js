import { createMenuClient } from 'menuscript/client'

export async function load({ fetch, params }) {
  const menus = createMenuClient('http://127.0.0.1:4400/api/menu', { fetch })
  return { tree: await menus.tree('main', { locale: params.locale }) }
}
