import { IconHeading } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import { codesIn, freeCode } from '#core/design/fields.ts'
import type { FieldType } from '#core/form/column.ts'

import { PALETTE, newColumn } from './columns.ts'
import type { DesignSession } from './designSession.ts'
import classes from './design.module.css'
import { dragData } from './dragging.ts'
import { placeAfter } from './places.ts'
import type { Selection } from './selection.ts'
import { openPage } from './selection.ts'
import { typeIcons } from './typeIcons.ts'

interface PaletteProps {
  readonly session: DesignSession
  readonly design: Design
  readonly selection: Selection
}

/** Every type of field: chosen, it comes after what is selected; or it is drawn onto the page. */
export function Palette({ session, design, selection }: PaletteProps) {
  const { t } = useTranslation('design')
  const open = openPage(selection)
  const form = open === null ? null : (design.pages.get(open.pageId)?.form ?? null)
  if (open === null || form === null) return null
  const add = (type: FieldType) => {
    const place = placeAfter(form, selection, open.pageId, type)
    const taken = codesIn(form, place.table)
    const column = newColumn(type, { label: t(`types.${type}`), choice: (no) => t('choice', { no }) }, taken)
    session.edit({ kind: 'fields-add', place, columns: [column] })
    session.select({ of: 'fields', ...open, table: place.table, props: [column.prop] })
  }
  const addSection = () => {
    const key = freeCode('group1', new Set(form.sections.map((section) => section.key)))
    const at = selection?.of === 'fields' && selection.table === null ? form.sections.findIndex(({ columns }) => columns.some(({ prop }) => selection.props.includes(prop))) : form.sections.length - 1
    session.edit({ kind: 'section-add', pageId: open.pageId, section: { key, rest: { prop: key, label: t('palette.sectionName'), arrow: true, collapse: true, display: true }, columns: [] }, at: at + 1 })
    session.select({ of: 'section', ...open, key })
  }
  return (
    <section className={classes.palette} aria-label={t('palette.title')}>
      <h2 className={classes.paneTitle}>{t('palette.title')}</h2>
      <p className={classes.hint}>{t('palette.hint')}</p>
      {PALETTE.map(({ group, types }) => (
        <fieldset key={group} className={classes.propertyFields}>
          <legend className={classes.groupTitle}>{t(`palette.groups.${group}`)}</legend>
          <div className={classes.tiles}>
            {types.map((type) => {
              const TypeIcon = typeIcons[type]
              return (
                <button key={type} type="button" className={classes.tile} draggable onDragStart={(event) => dragData.begin(event, { kind: 'new', type })} onDragEnd={() => dragData.end()} onClick={() => add(type)}>
                  <TypeIcon size={18} aria-hidden="true" />
                  {t(`types.${type}`)}
                </button>
              )
            })}
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
}
