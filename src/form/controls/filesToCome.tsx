import { isList } from '#core/form/definition/value.ts'

import { valueWords } from '../words.ts'
import type { Drawing } from './drawing.ts'
import classes from './fileList.module.css'

/**
 * The names of a field's files, until the control that draws them has been loaded: as high as they will be, so that
 * nothing below moves then.
 */
export function filesToCome({ cell, ids, environment, describedBy }: Drawing, editable: boolean) {
  const { t, words, files } = environment
  const { field, value } = cell
  const items = isList(value) ? value : []
  const limit = field.files?.limit ?? null
  const canTake = editable && files !== null && (limit === null || items.length < limit)
  return (
    <fieldset
      className={classes.field}
      id={ids.control}
      tabIndex={-1}
      aria-labelledby={ids.label}
      aria-describedby={describedBy}
    >
      {items.length > 0 && (
        <div className={classes.list}>
          {items.map((item, at) => {
            const name = valueWords(field, item, t)
            return (
              <div key={`${at} ${name}`} className={classes.item}>
                <span className={classes.thumb} />
                <span className={classes.words}>
                  <span className={classes.name}>{name}</span>
                  <span className={classes.facts}>{'\u00A0'}</span>
                </span>
              </div>
            )
          })}
        </div>
      )}
      {canTake ? <div className={classes.take} /> : items.length === 0 && words.empty}
    </fieldset>
  )
}
