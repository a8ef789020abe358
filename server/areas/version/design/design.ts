import type { DefinitionInput, DesignInput, DesignState } from '#core/api/calls/design.ts'
import { fail } from '#core/api/errors.ts'
import type { FieldError } from '#core/api/errors.ts'
import type { FolderRow, VersionRow } from '#core/api/sync/rows.ts'
import { versionDifference } from '#core/design/difference/versionDifference.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { takesAway, touchedNames } from '#core/wire/designStep.ts'
import { json } from '#core/wire/shapes.ts'
import { requireAnyPermission } from '#server/access.ts'
import { refuseTooLarge } from '#server/areas/version/definition.ts'
import { withLists } from '#server/areas/version/lists.ts'
import { changeVersion, membershipOf, readVersion } from '#server/areas/version/service.ts'
import * as store from '#server/areas/version/store.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import type { Write } from '#server/http/runOnce.ts'

import { DESIGN_RIGHTS, requireRightsTo } from './designRights.ts'
import { keepState, listActs } from './designStateStore.ts'
import { findDesignState, idsOfOthers, noteDesigned, writeDesign } from './designStore.ts'

/**
 * Drafts as they are designed. They are read whole and saved in parts. A save never overwrites what somebody else has
 * saved meanwhile.
 */

/** A version for its designers. The state is read first, so that the next save notices what is saved in between. */
export async function readDesign(
  context: CallContext<'version.design'>,
): Promise<{ state: DesignState; version: VersionRow }> {
  const state = await readDesignState(context)
  return { state, version: await readVersion(context) }
}

export async function readDesignState(
  context: Pick<CallContext<'version.designState'>, 'services' | 'actor' | 'params'>,
): Promise<DesignState> {
  const { services, actor, params } = context
  return withTransaction(services.pool, async (transaction) => {
    await membershipOf(transaction, actor, params.id)
    return stateOf(transaction, params.id)
  })
}

/**
 * Saves a designer's changes, all or nothing. Rules require `rule_edit`, everything else requires `design_edit`
 * (docs/adr/0030-rules.md).
 *
 * @throws ApiFailure `draft_changed` where somebody else has saved since the draft was read; `invalid` for codes that
 *   are used twice, pages that are defined nowhere or cannot be read, ids of other projects: then nothing is saved
 */
export async function saveDesign(
  context: Write<'version.designSave'>,
): Promise<{ state: DesignState; pages: { id: string; option: string }[] }> {
  const { services, actor, body, query } = context
  await withTransaction(services.pool, async (transaction) =>
    requireAnyPermission(await membershipOf(transaction, actor, query.crfId), DESIGN_RIGHTS),
  )
  refuseTooLarge(body.pages)
  // This comes before the transaction of the change, because it may wait for another server.
  const pages = await pagesWithLists(context)
  return changeVersion(
    context,
    { action: 'edit', permission: DESIGN_RIGHTS },
    async (transaction, { version, member }) => {
      const { rev } = await stateOf(transaction, version.id)
      if (rev !== body.rev) throw fail('draft_changed')
      const before = [...(await store.loadFolders(transaction, version.id))]
      const errors = [...wrongIn(body, before), ...(await foreignIn(transaction, version.project_id, body))]
      if (errors.length > 0) throw fail('invalid', { fields: errors })
      await writeDesign(transaction, version.id, { ...body, pages })
      await noteDesigned(transaction, version.id, actor.userId, services.now())
      const after = [...(await store.loadFolders(transaction, version.id))]
      const changes = versionDifference({ folders: before }, { folders: after })
      const touched = touchedNames(changes)
      await keepState(transaction, version, before, {
        kind: takesAway(touched) ? 'remove' : 'edit',
        by: actor.userId,
        at: services.now(),
        fromRev: rev,
        touched,
      })
      refuseTooLarge([...new Map(after.flatMap((folder) => folder.pages).map((page) => [page.id, page])).values()])
      // The check reads what is stored now, with the lists filled in, because the request held only a part of it. A
      // refusal undoes all of it.
      requireRightsTo(member, before, after)
      const sent = new Map(body.pages.map(({ id, option }) => [id, option]))
      // After the project's own lists have been filled in as well.
      const savedOtherwise = async () => {
        const stored = new Map(
          (await store.loadFolders(transaction, version.id))
            .flatMap((folder) => folder.pages)
            .map(({ id, option }) => [id, option]),
        )
        return pages.flatMap(({ id, option }) => {
          const now = stored.get(id) ?? option
          return now === sent.get(id) ? [] : [{ id, option: now }]
        })
      }
      return {
        audit: [
          { action: 'version.design', versionId: version.id, new: { rev: rev + 1, changes: json.parse(changes) } },
        ],
        quiet: true,
        result: async () => ({
          state: await stateOf(transaction, version.id),
          pages: await savedOtherwise(),
        }),
      }
    },
  )
}

/** The part of the history that comes with the state: changes that an open designer may have missed. */
const ACTS_TOLD = 8

export async function stateOf(transaction: Queryable, versionId: string): Promise<DesignState> {
  const state = await findDesignState(transaction, versionId)
  if (state === null) throw fail('not_found')
  const { rows } = await listActs(transaction, versionId, { limit: ACTS_TOLD, offset: 0 })
  return { ...state, acts: [...rows] }
}

async function pagesWithLists({ services, body }: Write<'version.designSave'>): Promise<DesignInput['pages']> {
  // Lists are searched page by page, whatever visits the pages stand in.
  const definition: DefinitionInput = {
    folders: [{ folderName: 'design', folderCode: 'design', pages: [...body.pages] }],
  }
  const [folder] = (await withLists(services, definition)).folders
  return body.pages.map((page, at) => ({ ...page, option: folder?.pages[at]?.option ?? page.option }))
}

/**
 * Problems that prevent a save: a name that is used twice, a page that nobody has defined, or a page that cannot be
 * read and could before.
 */
function wrongIn({ folders, pages }: DesignInput, before: readonly FolderRow[]): readonly FieldError[] {
  const errors: FieldError[] = []
  const twice = (values: readonly string[], pathOf: (at: number) => string): void => {
    values.forEach((value, at) => {
      if (values.indexOf(value) !== at) errors.push({ path: pathOf(at), code: 'duplicate' })
    })
  }
  const stored = new Map(before.flatMap((folder) => folder.pages).map((page) => [page.id, page]))
  const edited = new Map(pages.map((page) => [page.id, page]))
  twice(
    folders.map(({ id }) => id),
    (at) => `folders.${at}.id`,
  )
  twice(
    folders.map(({ folderCode }) => folderCode),
    (at) => `folders.${at}.folderCode`,
  )
  twice(
    pages.map(({ id }) => id),
    (at) => `pages.${at}.id`,
  )
  folders.forEach(({ pageIds }, at) => {
    twice(pageIds, (page) => `folders.${at}.pageIds.${page}`)
    pageIds.forEach((id, page) => {
      if (!stored.has(id) && !edited.has(id)) errors.push({ path: `folders.${at}.pageIds.${page}`, code: 'unknown' })
    })
  })
  const placed = [...new Set(folders.flatMap(({ pageIds }) => pageIds))].map((id) => edited.get(id) ?? stored.get(id))
  twice(
    placed.map((page) => page?.pageCode ?? ''),
    (at) => `pages.${pages.findIndex(({ id }) => id === placed[at]?.id)}.pageCode`,
  )
  pages.forEach(({ id, option }, at) => {
    if (option !== stored.get(id)?.option && !parsePage(option).ok)
      errors.push({ path: `pages.${at}.option`, code: 'unreadable' })
  })
  return errors
}

async function foreignIn(
  transaction: Queryable,
  projectId: string,
  { folders, pages }: DesignInput,
): Promise<readonly FieldError[]> {
  const foreign = await idsOfOthers(
    transaction,
    projectId,
    [...folders, ...pages].map(({ id }) => id),
  )
  const pathsOf = (list: readonly { readonly id: string }[], name: string): readonly FieldError[] =>
    list.flatMap(({ id }, at) => (foreign.has(id) ? [{ path: `${name}.${at}.id`, code: 'foreign' }] : []))
  return [...pathsOf(folders, 'folders'), ...pathsOf(pages, 'pages')]
}
