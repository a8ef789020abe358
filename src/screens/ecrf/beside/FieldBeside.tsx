import { Button, VisuallyHidden } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Casebook, EntryView } from '#src/data/shapes/types.ts'
import { placeName } from '#src/form/words.ts'
import { useBreakpoint } from '#src/frame/breakpoints.ts'
import { useTableMemory } from '#src/frame/tableMemory.ts'
import { laterPart } from '#src/parts/laterPart.tsx'
import type { Checking } from '#src/screens/ecrf/check/useChecking.ts'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'
import { SplitView } from '#src/ui/panel/SplitView.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './beside.module.css'
import type { BesideOf } from './useBeside.ts'
import type { PageQueries } from './usePageQueries.ts'
import { usePictures } from './useSource.ts'

const FieldTrail = laterPart(
  async () => (await import('#src/screens/ecrf/trail/field/FieldTrail.tsx')).FieldTrail,
  NotLoaded,
)
const SourcePanel = laterPart(async () => (await import('./SourcePanel.tsx')).SourcePanel, NotLoaded)
const FieldCheck = laterPart(async () => (await import('#src/screens/ecrf/check/FieldCheck.tsx')).FieldCheck)
const FieldQueries = laterPart(async () => (await import('./FieldQueries.tsx')).FieldQueries, NotLoaded)

interface FieldBesideProps {
  readonly book: Casebook
  readonly view: EntryView
  readonly form: FormState
  readonly open: BesideOf | null
  /** Null where who looks has nothing to do with queries. */
  readonly queries: PageQueries | null
  /** Null where who looks does not check the page. */
  readonly checking: Checking | null
  readonly onOpen: (next: BesideOf | null) => void
  /** Goes to a field of the page. */
  readonly onJump: (address: string) => void
  /** The open page. */
  readonly children: ReactNode
}

/**
 * A page, and what is told of one of its fields: beside the page at a desk, where it follows from field to field, and
 * over the page where there is no room.
 */
export function FieldBeside(props: FieldBesideProps) {
  const { form, open, children } = props
  const breakpoint = useBreakpoint()
  // A row of a table is open in a dialog of its own, and what stands beside the page is out of reach there.
  const inRow = typeof open?.address === 'string' && addressOf(open.address).rid !== null
  const beside = breakpoint === 3 && open !== null && !inRow
  const memory = useTableMemory('fieldTrail')
  const title = useTitle(form, open)
  return (
    <div className={classes.page}>
      <SplitView
        width={memory.notes.panelWidth}
        onWidth={(panelWidth) => memory.note({ panelWidth })}
        panel={
          beside && (
            <div className={classes.trail}>
              <OpenBeside {...props} open={open} title={title} beside />
            </div>
          )
        }
      >
        {children}
      </SplitView>
      {!beside && open !== null && <OpenBeside {...props} open={open} title={title} beside={false} />}
      {/* The focus may stay in the page, so that nothing else would say that the panel is there. */}
      <VisuallyHidden component="output">{beside && title}</VisuallyHidden>
    </div>
  )
}

interface OpenBesideProps extends Omit<FieldBesideProps, 'open' | 'children'> {
  readonly open: BesideOf
  readonly title: string
  readonly beside: boolean
}

/** What is open: the history of a field, its queries, or the pictures of the page. */
function OpenBeside({ book, view, form, open, queries, checking, title, beside, onOpen, onJump }: OpenBesideProps) {
  const { t } = useTranslation('files')
  const pictures = usePictures(view)
  const onClose = useCallback(() => onOpen(null), [onOpen])
  const checkOf = (address: string) =>
    checking === null ? null : <FieldCheck checking={checking} form={form} address={address} />
  if (open.kind === 'source')
    return <SourcePanel {...{ book, view, form, beside, onJump, onClose }} address={open.address} below={checkOf} />
  const { address } = open
  const above = (
    <>
      {address !== null && checkOf(address)}
      {pictures.length > 0 && (
        <Button
          variant="default"
          size="md"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPhoto size={18} aria-hidden="true" />}
          onClick={() => onOpen({ kind: 'source', address })}
        >
          {t('source.open')}
        </Button>
      )}
    </>
  )
  const shared = { book, view, title, beside, onClose, above }
  if (open.kind === 'trail')
    return (
      <FieldTrail
        key={open.address}
        {...shared}
        address={open.address}
        onQueries={queries === null ? null : () => onOpen({ kind: 'queries', address: open.address })}
      />
    )
  if (queries === null) return null
  return (
    <FieldQueries
      key={address ?? ''}
      {...shared}
      {...{ form, queries, address }}
      onRaised={checking?.noteAsked ?? null}
    />
  )
}

/** The name of what is open: that of its field, in a row with its table and number. */
function useTitle(form: FormState, open: BesideOf | null): string {
  const { t, i18n } = useTranslation(['trail', 'query', 'files', 'form'])
  const language = useLanguage()
  if (open === null) return ''
  if (open.kind === 'source') return t('files:source.title')
  const { address } = open
  if (address === null) return t('query:page.title')
  const cell = form.getCell(address)
  const label =
    cell === undefined ? addressOf(address).code : placeName(form, cell, language, i18n.getFixedT(language, 'form'))
  return open.kind === 'trail' ? t('ofField', { label }) : t('query:field.title', { label })
}
