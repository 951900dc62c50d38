/** The keys of a menu and of its items, in the order in which they are usually written. */
export const MENU_KEYS: readonly string[] = [
  ...['version', 'code', 'name', 'context', 'display'],
  ...['type', 'id', 'label', 'routeName', 'routeParams', 'url', 'icon', 'permissions', 'permissionMode'],
  ...['attributes', 'hidden', 'visibleFrom', 'visibleUntil', 'items', 'children'],
]
