import { todoOf } from '#core/sync/entryMark.ts'
import type { EntryTodo } from '#core/sync/entryMark.ts'
import { marksOfPatient, marksToDo, patientsToDo } from '#offline/db/marks.ts'
import type { MarkRow } from '#offline/db/rows.ts'
import { idInView, viewOf } from '#offline/db/view.ts'
import { viewFor } from '#offline/sync/cache.ts'
import type { PageMark } from '#src/data/shapes/types.ts'

import type { DataContext } from './context.ts'
import { isHere } from './local.ts'
import type { CenterScope } from './local.ts'
import { ownWork, withOwnWork } from './readMarks.ts'
import type { OwnWork } from './readMarks.ts'

/** Whose pages wait for somebody to go on: by the marks on this device and its unsent work over them. */

/** How many marks of a center are read for a list; nobody works off more at a time. */
const READ = 120

/**
 * Pages that wait in a scope, by patient, the patients enrolled first before the others; beyond those read there is
 * only the count.
 */
export async function pagesWaiting(
  context: DataContext,
  scope: CenterScope,
  todo: EntryTodo,
  own: OwnWork,
): Promise<{ readonly pages: readonly (readonly [string, readonly PageMark[]])[]; readonly beyond: number }> {
  if (scope.opened !== null)
    return { pages: await pagesOfOpened(context, scope.text, scope.opened, todo, own), beyond: 0 }
  const { cache } = context.storage
  const { text } = scope
  const view = viewFor(context.ring(), text, 'entry')
  const { marks, count } = await marksToDo(cache, text, todo, view, READ)
  const waiting = new Map<string, readonly MarkRow[]>(Map.groupBy(marks, ({ patientId }) => patientId))
  const read = new Set(marks.map(({ id }) => id))
  let beyond = count - marks.length
  // Unsent work of this device may change what is to be done: all pages of the patient are looked at.
  for (const patientId of touchedIn(own, text)) {
    const rows = await marksHere(context, text, patientId)
    waiting.set(patientId, rows)
    beyond -= rows.filter((row) => row.todo === idInView(todo, view) && !read.has(row.id)).length
  }
  const pages = [...waiting].map(([patientId, rows]): readonly [string, readonly PageMark[]] => [
    patientId,
    withOwnWork(patientId, rows, own).filter((page) => todoOf(page) === todo),
  ])
  // Patient ids sort by enrolment; subject numbers are sealed.
  return { pages: pages.filter(([, of]) => of.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)), beyond }
}

/** The same for a center with only opened patients here: they are few. */
async function pagesOfOpened(
  context: DataContext,
  text: string,
  opened: ReadonlySet<string>,
  todo: EntryTodo,
  own: OwnWork,
): Promise<readonly (readonly [string, readonly PageMark[]])[]> {
  const pages: (readonly [string, readonly PageMark[]])[] = []
  for (const patientId of [...opened].toSorted()) {
    const of = withOwnWork(patientId, await marksHere(context, text, patientId), own).filter(
      (page) => todoOf(page) === todo,
    )
    if (of.length > 0) pages.push([patientId, of])
  }
  return pages
}

/** All patients of scopes with a page that waits. */
export async function patientsWaiting(
  context: DataContext,
  scopes: readonly CenterScope[],
): Promise<ReadonlySet<string>> {
  const own = await ownWork(context)
  const ofScopes = await Promise.all(
    scopes.map(async (scope) => {
      const { text } = scope
      const view = viewFor(context.ring(), text, 'entry')
      const [missing, process] = await Promise.all(
        (['missing', 'process'] as const).map((todo) => patientsToDo(context.storage.cache, text, todo, view)),
      )
      const waiting = new Set([...(missing ?? []), ...(process ?? [])])
      for (const patientId of touchedIn(own, text)) {
        const pages = withOwnWork(patientId, await marksHere(context, text, patientId), own)
        if (pages.some((page) => todoOf(page) !== null)) waiting.add(patientId)
        else waiting.delete(patientId)
      }
      return [...waiting].filter((id) => isHere(scope, id))
    }),
  )
  return new Set(ofScopes.flat())
}

/** Patients for whom this device has unsent work in a scope. */
function touchedIn(own: OwnWork, scope: string): readonly string[] {
  return [...own.lines].flatMap(([patientId, lines]) => (lines.some((line) => line.scope === scope) ? [patientId] : []))
}

async function marksHere(context: DataContext, scope: string, patientId: string): Promise<readonly MarkRow[]> {
  const view = viewFor(context.ring(), scope, 'entry')
  return (await marksOfPatient(context.storage.cache, scope, patientId)).filter((row) => viewOf(row.id) === view)
}
