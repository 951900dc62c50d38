import { MENUS_AT_LIMITS } from '../../document/exchange/import.js'
import { contentHash } from '../../store/hash.js'
import { moveBranch } from '../deeds/branches.js'
import { exportMenus } from '../deeds/export.js'
import { findText, historyOf, restore } from '../deeds/history.js'
import { importAll } from '../deeds/import.js'
import { copyMenu, createMenu, listMenus, patchMenu, replaceFile } from '../deeds/menus.js'
import { needDocument, needMenu } from '../deeds/workspace.js'
import { needVersion, readPatch, toMoved, toPublished, toTag, versionOrNew } from './call.js'
import { PATCHING, PUBLISHING, VERSIONED, WRITING } from './problems.js'
import { bare, json, type Route, raw } from './route.js'

/** Menus, their texts and their history. */
export const MENU_ROUTES: Readonly<Record<string, Route>> = {
  'GET /menus': bare('view', {
    says: 'All menu files, with their problems and drafts',
    gives: { 200: 'MenuList' },
    run: async ({ workspace }) => ({ value: await listMenus(workspace) }),
  }),
  'POST /menus': json('edit', 'NewMenu', {
    says: 'Create a menu',
    query: ['dry_run'],
    gives: { 200: 'Published', 201: 'Published' },
    problems: [...PUBLISHING, 'menu-exists', 'bad-context', 'uncopyable'],
    run: async ({ workspace }, { operator, body, isDry }) =>
      toPublished(await createMenu(workspace, operator, { ...body, isDry }), isDry ? 200 : 201),
  }),
  'POST /copy': json('edit', 'Copy', {
    says: 'Copy a menu to another code or context, with its comments and ids',
    query: ['dry_run'],
    gives: { 200: 'Published', 201: 'Published' },
    problems: [...PUBLISHING, 'no-file', 'menu-exists', 'bad-context', 'uncopyable', 'broken-file'],
    run: async ({ workspace }, { operator, body, isDry }) =>
      toPublished(await copyMenu(workspace, operator, { ...body, isDry }), isDry ? 200 : 201),
  }),
  'GET /menu': bare('view', {
    says: 'The value of a menu file',
    query: ['file'],
    gives: { 200: 'MenuFile' },
    problems: ['broken-file', 'busy'],
    run: ({ workspace }, { file }) => {
      const { bytes, value: menu } = needMenu(workspace, file)
      const version = contentHash(bytes)
      return { value: { file, version, menu }, headers: { etag: toTag(version) } }
    },
  }),
  'PATCH /menu': json('edit', 'Patch', {
    says: 'Change a menu and publish it, by a JSON Patch (RFC 6902)',
    query: ['file', 'dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Published' },
    problems: [...PUBLISHING, ...VERSIONED, ...PATCHING, 'broken-file', 'uneditable'],
    run: async ({ workspace }, call) => {
      const { operator, file, body, isDry } = call
      const wish = { file, version: needVersion(call), operations: readPatch(body), isDry }
      return toPublished(await patchMenu(workspace, operator, wish))
    },
  }),
  'DELETE /menu': bare('edit', {
    says: 'Delete a menu file; its text is kept for `/restore`',
    query: ['file', 'dry_run'],
    headers: ['If-Match'],
    gives: { 200: 'Published' },
    problems: [...WRITING, ...VERSIONED],
    run: async ({ workspace }, call) => {
      const { operator, file, isDry } = call
      const wish = { file, version: needVersion(call), text: null, isDry }
      return toPublished(await replaceFile(workspace, operator, wish))
    },
  }),
  'GET /source': bare('view', {
    says: 'The text of a menu file',
    query: ['file'],
    gives: { 200: null },
    problems: ['busy'],
    run: ({ workspace }, { file }) => {
      const { bytes, mark, text } = needDocument(workspace, file)
      const headers = { etag: toTag(contentHash(bytes)), 'content-type': 'text/plain; charset=utf-8' }
      return { text: mark + text, headers }
    },
  }),
  'PUT /source': raw(
    'edit',
    { types: ['application/yaml', 'text/yaml', 'text/plain'], schema: null },
    {
      says: 'Replace the text of a file; with `If-None-Match: *`, create the file',
      query: ['file', 'dry_run'],
      headers: ['If-Match', 'If-None-Match'],
      gives: { 200: 'Published', 201: 'Published' },
      problems: [...PUBLISHING, ...VERSIONED],
      run: async ({ workspace }, call) => {
        const { operator, file, body: text, isDry } = call
        const version = versionOrNew(call)
        const published = await replaceFile(workspace, operator, { file, version, text, isDry })
        return toPublished(published, version === null ? 201 : 200)
      },
    },
  ),
  'GET /history': bare('view', {
    says: 'The earlier texts of a file that are kept, and its commits',
    query: ['file'],
    gives: { 200: 'History' },
    run: async ({ workspace }, { file }) => ({ value: { file, ...(await historyOf(workspace, file)) } }),
  }),
  'GET /history/{id}': bare('view', {
    says: 'An earlier text, one of those that `GET /history` lists for the file',
    query: ['file'],
    gives: { 200: null },
    problems: ['no-version'],
    run: async ({ workspace }, { file, id }) => {
      const { bytes } = await findText(workspace, file, id)
      return { text: new TextDecoder().decode(bytes) }
    },
  }),
  'POST /restore': json('edit', 'Restore', {
    says: 'Restore an earlier version, or one item of it; with `If-None-Match: *` a file that is gone',
    query: ['file', 'dry_run'],
    headers: ['If-Match', 'If-None-Match'],
    gives: { 200: 'Published' },
    problems: [
      ...[...PUBLISHING, ...VERSIONED],
      ...(['no-version', 'no-item', 'parent-gone', 'broken-file', 'uneditable'] as const),
    ],
    run: async ({ workspace }, call) => {
      const { operator, file, body, isDry } = call
      const wish = { ...body, file, version: versionOrNew(call), isDry }
      return toPublished(await restore(workspace, operator, wish))
    },
  }),
  'POST /move': json('edit', 'Move', {
    says: 'Move a branch to another menu, or copy it: both files are written, or none',
    query: ['dry_run'],
    gives: { 200: 'Moved' },
    problems: [
      ...PUBLISHING,
      ...(['no-file', 'uneditable', 'no-item', 'same-file', 'broken-file', 'bad-operation'] as const),
    ],
    run: async ({ workspace }, { operator, body, isDry }) =>
      toMoved(await moveBranch(workspace, operator, { ...body, isDry })),
  }),
  'GET /export': bare('view', {
    says: 'Menus as the JSON of the Symfony bundle',
    query: ['file?', 'notes'],
    gives: { 200: 'Bundle' },
    problems: ['bad-path', 'no-file'],
    run: ({ workspace }, { request, operator, query }) => {
      const wish = { file: query.get('file'), hasNotes: query.get('notes') === 'true' }
      const write = exportMenus(workspace, operator, wish)
      return { stream: (response) => write(request, response) }
    },
  }),
  'POST /import': raw(
    'edit',
    { schema: 'Bundles' },
    {
      says: 'Import all menus from that JSON, or none',
      query: ['mode', 'dry_run'],
      maxBytes: ({ bytes }) => MENUS_AT_LIMITS * bytes,
      gives: { 200: 'Imported' },
      problems: [...PUBLISHING, 'import-refused', 'bad-body', 'version-required'],
      run: async ({ workspace }, { operator, query, body: json, isDry }) => {
        const wish = { json, isReplacing: query.get('mode') === 'replace', isDry }
        return { value: await importAll(workspace, operator, wish) }
      },
    },
  ),
}
