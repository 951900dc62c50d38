/** The label of the current page in a menu, as a filter: that of the deepest node on the way to it, '' where there is none. */
export function titleOf(nodes) {
  const node = nodes.find((each) => each.hasCurrentInBranch)
  return node === undefined ? '' : titleOf(node.children) || node.label
}
