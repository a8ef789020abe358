import { IconHeading } from '@tabler/icons-react'
import { memo, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { codesIn, freeCode } from '#core/design/fields.ts'
import type { FieldType } from '#core/form/definition/column.ts'
import { PALETTE, newColumn } from '#src/screens/design/columns.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { openPage, presentIn } from '#src/screens/design/selection.ts'

import { useAnnouncing } from './announcing.ts'
import { addSectionAfter } from './addSection.ts'
import { useTypeDrag } from './dragging/dropTargets.ts'
import type { Target } from './places.ts'
import classes from './canvas.module.css'
import { fieldsAt, placeAfter, targetOf } from './places.ts'
import { typeIcons } from './typeIcons.ts'

/** Says where a click would put a new field. Draws again only when that place changes. */
function PaletteTarget({ editor }: PaletteProps) {
  const { t } = useTranslation('design')
  const text = useSyncExternalStore(editor.subscribe, () => {
    const { design, selection: selected } = editor.view()
    const selection = presentIn(design, selected)
    const form = design.pages.get(openPage(selection)?.pageId ?? '')?.form ?? null
    const target: Target = form === null ? { at: 'end', name: '' } : targetOf(form, selection)
    return t(`palette.targets.${target.at}`, { name: target.name })
  })
  return <output className={classes.target}>{text}</output>
}

interface PaletteProps {
  readonly editor: DesignEditor
}

/** All field types: a chosen one comes after the selection, a dragged one where it is dropped. */
export const Palette = memo(function Palette({ editor }: PaletteProps) {
  const { t } = useTranslation('design')
  const announcing = useAnnouncing(editor)
  /** Where the field goes, read at the moment of the choice. */
  const at = () => {
    const { design, selection: selected } = editor.view()
    const selection = presentIn(design, selected)
    const open = openPage(selection)
    const form = open === null ? null : (design.pages.get(open.pageId)?.form ?? null)
    return open === null || form === null ? null : { selection, open, form }
  }
  const add = (type: FieldType) => {
    const now = at()
    if (now === null) return
    const place = placeAfter(now.form, now.selection, now.open.pageId, type)
    const taken = codesIn(now.form, place.table)
    const column = newColumn(
      type,
      { label: t(`types.${type}`), choice: (no) => t('choice', { no }) },
      taken,
      fieldsAt(now.form, place),
    )
    editor.edit({ kind: 'fields-add', place, columns: [column] })
    editor.select({ of: 'fields', ...now.open, table: place.table, props: [column.prop] })
    announcing.came('added')
  }
  const addSection = () => {
    const now = at()
    if (now === null) return
    const { form, open, selection } = now
    const key = freeCode('group1', new Set(form.sections.map((section) => section.key)))
    const section = {
      key,
      rest: { prop: key, label: t('palette.sectionName'), arrow: true, collapse: true, display: true },
      columns: [],
    }
    editor.edit(...addSectionAfter(form, selection, open.pageId, section))
    editor.select({ of: 'section', ...open, key })
  }
  return (
    <section className={classes.palette} aria-label={t('palette.title')}>
      <p className={classes.hint}>{t('palette.hint')}</p>
      <PaletteTarget editor={editor} />
      {PALETTE.map(({ group, types }) => (
        <fieldset key={group} className={classes.paletteGroup}>
          <legend className={classes.groupTitle}>{t(`palette.groups.${group}`)}</legend>
          <div className={classes.tiles}>
            {types.map((type) => (
              <TypeTile key={type} type={type} onAdd={add} />
            ))}
            {group === 'more' && (
              <button type="button" className={classes.tile} onClick={addSection}>
                <IconHeading size={18} aria-hidden="true" />
                {t('palette.section')}
              </button>
            )}
          </div>
        </fieldset>
      ))}
    </section>
  )
})

interface TypeTileProps {
  readonly type: FieldType
  readonly onAdd: (type: FieldType) => void
}

/** A field type, to press or to drag. */
function TypeTile({ type, onAdd }: TypeTileProps) {
  const { t } = useTranslation('design')
  const tile = useRef<HTMLButtonElement>(null)
  useTypeDrag(tile, type)
  const TypeIcon = typeIcons[type]
  return (
    <button ref={tile} type="button" className={classes.tile} onClick={() => onAdd(type)}>
      <TypeIcon size={18} aria-hidden="true" />
      {t(`types.${type}`)}
    </button>
  )
}
