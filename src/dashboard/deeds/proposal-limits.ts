/** Characters of the title of a proposal, and of a text for its reviewers. */
export const MAX_TITLE = 200
export const MAX_TEXT = 4_000
