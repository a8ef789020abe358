import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { addressKey } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { isDone } from '#core/review/verification.ts'
import { useReviewActions } from '#src/data/hooks/review.ts'
import type { Casebook, EntryView } from '#src/data/shapes/types.ts'
import { RaiseQuery } from '#src/form/queries/RaiseQuery.tsx'
import { placeName } from '#src/form/words.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import { contentOn, queryPlaceOf } from '#src/screens/ecrf/beside/queryPlace.ts'
import type { PageQueries } from '#src/screens/ecrf/beside/usePageQueries.ts'
import { usePictures } from '#src/screens/ecrf/beside/useSource.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { KeyHelp, ReasonQuestion } from './CheckDialogs.tsx'
import { CheckHead } from './CheckHead.tsx'
import { useCheckKeys } from './useCheckKeys.ts'
import type { Checking } from './useChecking.ts'

interface CheckedPageProps {
  readonly checking: Checking
  readonly book: Casebook
  readonly view: EntryView
  readonly form: FormState
  readonly queries: PageQueries | null
  /** Whether the address of the screen asks for a field: then the focus goes there. */
  readonly isLinked: boolean
  readonly onJump: (address: string) => void
  /** Shows the pictures of the page beside a field. */
  readonly onSource: (address: string | null) => void
  /** What else can be done with the page as a whole. */
  readonly lead: ReactNode
}

/** What a page has above its fields while it is checked: the head, the keys, and the dialogs that they open. */
export function CheckedPage(props: CheckedPageProps) {
  const { checking, book, view, form, queries, isLinked, onJump } = props
  const { t } = useTranslation('review')
  const [asking, setAsking] = useState<string | null>(null)
  const [isHelping, setHelping] = useState(false)
  const { isLooking, goOn } = useNextPage(checking, book, view)
  useFirstField(checking, form, isLinked, onJump)
  const hasPictures = usePictures(view).length > 0
  const onSource = hasPictures ? props.onSource : null
  useCheckKeys({
    checking,
    form,
    onSource,
    onAsk: queries?.mayAsk === true ? setAsking : null,
    onNextPage: () => goOn(view.entryId),
    onHelp: () => setHelping(true),
    onSay: (what) =>
      checking.say(
        what === 'allDone'
          ? { tone: 'done', text: t('page.allDone') }
          : { tone: 'info', text: t(checking.own.length === 0 ? 'page.stopped' : `field.notNow.${what}`) },
      ),
  })
  return (
    <>
      <CheckHead
        checking={checking}
        lead={props.lead}
        isLooking={isLooking}
        onSource={onSource === null ? null : () => onSource(null)}
        onNextPage={() => goOn(view.entryId)}
        onFromStart={() => goOn(null)}
        onHelp={() => setHelping(true)}
      />
      {checking.question !== null && (
        <ReasonQuestion question={checking.question} give={checking.give} onClose={checking.closeQuestion} />
      )}
      {asking !== null && (
        <AskAt {...{ book, view, form }} at={asking} onRaised={checking.noteAsked} onClose={() => setAsking(null)} />
      )}
      {isHelping && <KeyHelp onClose={() => setHelping(false)} />}
    </>
  )
}

/** Goes to the next page of the track and the center that is to be checked. */
function useNextPage(checking: Checking, book: Casebook, view: EntryView) {
  const { t } = useTranslation('review')
  const errorText = useErrorText()
  const navigate = useNavigate()
  const { next } = useReviewActions()
  const [isLooking, setLooking] = useState(false)
  const projectId = book.project.id
  const look = async (after: string | null) => {
    setLooking(true)
    const found = await next({
      projectId,
      track: checking.track,
      centerId: book.patient.centerId,
      ...(after === null ? {} : { after }),
    })
    setLooking(false)
    if (!found.ok) return checking.say({ tone: 'error', text: errorText(found.error) })
    const line = found.value
    if (line === null && after !== null) return checking.say({ tone: 'info', text: t('page.atEnd'), isEnd: true })
    if (line === null || line.entryId === view.entryId) return checking.say({ tone: 'info', text: t('page.noneLeft') })
    return navigate(entryPath(projectId, line.patientId, line.entryId))
  }
  return {
    isLooking,
    goOn: (after: string | null) => {
      if (!isLooking && checking.needs === null) void look(after)
    },
  }
}

/** Once the marks are there, the first field that is due gets the focus, unless somebody has gone elsewhere by then. */
function useFirstField(
  { read, track }: Checking,
  form: FormState,
  isLinked: boolean,
  onJump: (address: string) => void,
): void {
  const isGone = useRef(isLinked)
  const review = read.state === 'ready' ? read.value : null
  useEffect(() => {
    if (review === null || isGone.current) return
    isGone.current = true
    const { activeElement } = document
    if (activeElement !== document.body && activeElement?.id !== 'main') return
    const left = new Set(
      review[track].items.flatMap((item) =>
        item.due && !isDone(item.state) ? [item.table === null ? item.code : item.table] : [],
      ),
    )
    const first = form.compiled.page.fields.find(({ code }) => left.has(code))
    if (first !== undefined) onJump(first.code)
  }, [review, track, form, onJump])
}

interface AskAtProps {
  /** The key of a mark: of a field, or of a row. */
  readonly at: string
  readonly book: Casebook
  readonly view: EntryView
  readonly form: FormState
  readonly onRaised: Checking['noteAsked']
  readonly onClose: () => void
}

/** Raises a query on the current field, or on the row as a whole. */
function AskAt({ at, book, view, form, onRaised, onClose }: AskAtProps) {
  const { t, i18n } = useTranslation(['review', 'form'])
  const language = useLanguage()
  const [table = '', rid, code] = at.split('.')
  const isRow = rid !== undefined && code === undefined
  const address = isRow ? addressKey({ table, rid, code: WHOLE_ROW }) : at
  const cell = form.getCell(isRow ? table : at)
  const name = cell === undefined ? at : placeName(form, cell, language, i18n.getFixedT(language, 'form'))
  const no = isRow ? (cell?.rows ?? []).indexOf(rid) + 1 : 0
  return (
    <RaiseQuery
      projectId={book.project.id}
      versionId={view.versionId}
      place={queryPlaceOf(view, address)}
      label={isRow ? `${name} · ${t('field.row', { no })}` : name}
      seen={isRow ? null : contentOn(form, at)}
      onRaised={(id) => onRaised(id, address)}
      onClose={onClose}
    />
  )
}
