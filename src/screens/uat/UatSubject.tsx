import { useMemo, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { UatEntry } from '#core/api/calls/uat.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { UnsavedUatSubject } from '#src/data/writes/uat.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { useSession } from '#src/session/useSession.ts'
import { useSaver } from '#src/saving/useSaver.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import type { UatVersion } from './casebook.ts'
import { listUatVisits } from './casebook.ts'
import { UatForm } from './UatForm.tsx'
import { UatNav } from './UatNav.tsx'
import type { PageAt } from './uatEditor.ts'
import { UatEditor, pageKey } from './uatEditor.ts'
import classes from '#src/screens/uat/uat.module.css'

interface UatSubjectProps {
  readonly projectId: string
  readonly version: VersionRow
  readonly testerId: string
  readonly subject: number
  readonly kept: UnsavedUatSubject['pages']
  readonly mayWrite: boolean
}

/**
 * One test subject. It is read on each visit to the screen, because data from an earlier visit must not be filled in
 * further.
 */
export function UatSubject(props: UatSubjectProps) {
  const { projectId, version, testerId, subject } = props
  const [asked] = useState(() => String(performance.now()))
  const read = useServerQuery(
    'trial.read',
    { params: { id: version.id }, query: { testerId, subject }, projectId },
    asked,
  )
  return (
    <Loaded of={read} rows={8}>
      {(entries) => <OpenSubject {...props} entries={entries} />}
    </Loaded>
  )
}

function OpenSubject({
  projectId,
  version,
  testerId,
  subject,
  kept,
  mayWrite,
  entries,
}: UatSubjectProps & { readonly entries: readonly UatEntry[] }) {
  const names = useNames()
  const { t } = useTranslation('uat')
  const { call, current, reachable } = useSession()
  const [authorId] = useState(current.state === 'open' ? current.user.userId : '')
  const { keepUat } = useDataActions()
  const [search, setSearch] = useSearchParams()
  const crfId = version.id
  const [editor] = useState(
    () =>
      new UatEditor(subject, entries, kept, {
        read: () => call('trial.read', { params: { id: crfId }, query: { testerId, subject }, projectId }),
        save: (body) => call('trial.save', { query: { crfId }, body, projectId, authorId }),
        submit: (body) => call('trial.submit', { query: { crfId }, body, projectId, authorId }),
        keep: async (pages) => (await keepUat(crfId, { subject, pages })).ok,
      }),
  )
  const view = useSyncExternalStore(editor.subscribe, editor.view)
  useSaver(editor.saver, { isActive: mayWrite, reachable, asksOf: 'unkept' })

  const plan = useMemo(() => readPlan(version), [version])
  const asked = placeIn(search.get('page'))
  const visits = listUatVisits(
    plan.folders,
    asked === null ? [...view.pages.values()] : [...view.pages.values(), asked],
  )
  const order = visits.flatMap(({ pages }) => pages)
  const open = order.find(({ at }) => asked !== null && pageKey(at) === pageKey(asked)) ?? order[0]
  const goTo = (at: PageAt) =>
    setSearch((now) => {
      const next = new URLSearchParams(now)
      next.set('subject', String(subject))
      next.set('page', pageKey(at))
      return next
    })
  if (open === undefined) return <EmptyState title={t('noPages')} />
  const index = order.indexOf(open)
  const goStep = (by: 1 | -1) => {
    const to = order[index + by]
    return to === undefined ? null : () => goTo(to.at)
  }
  return (
    <div className={classes.frame}>
      <UatNav visits={visits} view={view} current={open.at} mayWrite={mayWrite} onGo={goTo} />
      <UatForm
        key={`${pageKey(open.at)} ${view.pages.get(pageKey(open.at))?.drawn ?? 0}`}
        editor={editor}
        view={view}
        version={plan}
        at={open.at}
        name={open.no > 1 ? t('pageNo', { name: names.page(open.page), no: open.no }) : names.page(open.page)}
        mayWrite={mayWrite}
        onPrevious={goStep(-1)}
        onNext={goStep(1)}
      />
    </div>
  )
}

/** The visits of a version in their order, and its pages compiled. */
function readPlan(version: UatSubjectProps['version']): UatVersion {
  const folders = version.folders.toSorted((a, b) => a.sort - b.sort)
  return { folders, compiled: new CompiledVersion(folders) }
}

/** The place that is in an address. */
function placeIn(text: string | null): PageAt | null {
  const [folderId, folderRepeat, pageId, pageRepeat] = (text ?? '').split('/')
  if (folderId === undefined || folderRepeat === undefined || pageId === undefined || pageRepeat === undefined)
    return null
  return { folderId, folderRepeat, pageId, pageRepeat }
}
