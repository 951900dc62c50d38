export const data = { title: 'Contacto' }

export function render() {
  return this.dashboard_menu_html('footer', 'es', [{ season: 'winter' }, null])
}
