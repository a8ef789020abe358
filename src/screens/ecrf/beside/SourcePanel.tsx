import { Button, NativeSelect, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#core/api/calls/attachment.ts'
import { addressKey, pageFieldOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Casebook, EntryView } from '#src/data/shapes/types.ts'
import { labelOf, placeName } from '#src/form/words.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { FileViewer } from '#src/screens/ecrf/files/FileViewer.tsx'
import { RegionLayer } from '#src/screens/ecrf/files/RegionLayer.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { BesidePanel } from './BesidePanel.tsx'
import classes from './beside.module.css'
import { useFieldAtHand } from './useFieldAtHand.ts'
import { useShownPicture } from './useShownPicture.ts'
import { useSource } from './useSource.ts'
import type { Source, SourcePicture } from './useSource.ts'

interface SourcePanelProps {
  readonly book: Casebook
  readonly view: EntryView
  readonly form: FormState
  /** The field that it opens for; null for the page as a whole. */
  readonly address: string | null
  readonly beside: boolean
  /** What else is told of a field that is at hand. */
  readonly below: ((address: string) => ReactNode) | null
  readonly onJump: (address: string) => void
  readonly onClose: () => void
}

/**
 * The pictures of a page beside its fields: of the field at hand, the part that it rests on. It follows from field to
 * field.
 */
export function SourcePanel(props: SourcePanelProps) {
  const { book, view, form, address, beside, below, onJump, onClose } = props
  const { t } = useTranslation('files')
  const errorText = useErrorText()
  const needs = useNeedsServer()
  const name = useFieldName(form)
  const at = useFieldAtHand(address)
  const source = useSource(book.project.id, view)
  const { failed, regions, pictures } = source
  const nameOf = (region: Region) => {
    const field = name(addressKey(region)) ?? region.code
    return region.note === '' ? field : t('region.name', { field, note: region.note })
  }
  const field = at === null ? null : name(at)
  return (
    <BesidePanel title={t('source.title')} beside={beside} onClose={onClose}>
      <Stack gap="sm">
        {/* Where it lies over the page, no field can be chosen. */}
        <p className={classes.at} aria-live="polite" hidden={field === null && !beside}>
          {field === null ? t('source.choose') : <strong>{field}</strong>}
        </p>
        {needs !== null && pictures.length > 0 && <p className={classes.none}>{t('region.offline')}</p>}
        {needs === null && failed !== null && (
          <Note tone="warning">{t('region.failed', { why: errorText(failed) })}</Note>
        )}
        {pictures.length === 0 ? (
          <p className={classes.none}>{t('source.none')}</p>
        ) : (
          <Pictures
            projectId={book.project.id}
            source={source}
            own={regions.filter((region) => at !== null && isWithin(addressKey(region), at))}
            isField={at !== null}
            nameOf={nameOf}
            onMark={(region) => onJump(addressKey(region))}
          />
        )}
        {at !== null && below?.(at)}
      </Stack>
    </BesidePanel>
  )
}

interface PicturesProps {
  readonly projectId: string
  readonly source: Source
  /** The parts that the field at hand rests on. */
  readonly own: readonly Region[]
  readonly isField: boolean
  readonly nameOf: (region: Region) => string
  readonly onMark: (region: Region) => void
}

/** One of the pictures, with what rests on it. */
function Pictures({ projectId, source: { pictures, regions, isKnown }, own, isField, nameOf, onMark }: PicturesProps) {
  const { t } = useTranslation('files')
  const { picture, marked, view, show, mark, choose } = useShownPicture(pictures, own)
  if (picture === undefined) return null
  const { reference } = picture
  return (
    <>
      {pictures.length > 1 && <Choice pictures={pictures} shown={reference.id} onChoose={choose} />}
      {isField && isKnown && own.length === 0 && <p className={classes.none}>{t('source.noRegion')}</p>}
      {own.length > 1 && (
        <div className={classes.parts}>
          {own.map((region, at) => (
            <Button
              key={region.regionId}
              size="md"
              variant={region.regionId === marked ? 'filled' : 'default'}
              aria-pressed={region.regionId === marked}
              onClick={() => show(region)}
            >
              {region.note === '' ? t('source.part', { no: at + 1 }) : region.note}
            </Button>
          ))}
        </div>
      )}
      <div className={classes.picture}>
        <FileViewer
          key={reference.id}
          projectId={projectId}
          reference={reference}
          view={view}
          isNarrow
          overlay={
            <RegionLayer
              regions={regions.filter(({ attachmentId }) => attachmentId === reference.id)}
              marked={marked}
              nameOf={nameOf}
              onMark={(region) => {
                mark(region)
                onMark(region)
              }}
              draft={null}
              onDraft={leaveDraft}
              turns={view.turns}
            />
          }
        />
      </div>
    </>
  )
}

interface ChoiceProps {
  readonly pictures: readonly SourcePicture[]
  readonly shown: string
  readonly onChoose: (fileId: string) => void
}

function Choice({ pictures, shown, onChoose }: ChoiceProps) {
  const { t } = useTranslation('files')
  const language = useLanguage()
  return (
    <NativeSelect
      size="md"
      label={t('source.picture', { total: pictures.length })}
      value={shown}
      data={pictures.map(({ reference, field }, at) => ({
        value: reference.id,
        label: [`${at + 1}`, field === null ? null : labelOf(field, language), reference.name]
          .filter(Boolean)
          .join(' · '),
      }))}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}

/** Nothing is drawn here. */
const leaveDraft = () => {}

/** Whether an address is that of a field, or of one in the table or row that another is of. */
function isWithin(address: string, of: string): boolean {
  return address === of || address.startsWith(`${of}.`)
}

/**
 * The name of a field of the page, in a row with its table and number; of a row as a whole, that of its table. Null
 * where the page has it no more.
 */
function useFieldName(form: FormState): (address: string) => string | null {
  const { i18n } = useTranslation('form')
  const language = useLanguage()
  return (address) => {
    const cell = form.getCell(address) ?? form.getCell(pageFieldOf(address))
    return cell === undefined ? null : placeName(form, cell, language, i18n.getFixedT(language, 'form'))
  }
}
