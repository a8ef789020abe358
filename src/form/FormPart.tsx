import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { memo, useCallback, useSyncExternalStore } from 'react'
import type { FormEvent } from 'react'

import { FieldRow } from './FieldRow.tsx'
import classes from './form.module.css'
import { useFormEnvironment } from './formContext.ts'
import type { Part } from './layout/layout.ts'
import { labelOf } from './words.ts'

interface Props {
  readonly part: Part
  readonly drawn: boolean
}

/**
 * A part of a page. Parts off the screen cost no layout (content-visibility). A part that is not drawn yet has its
 * height and contains its labels, so that the scroll bar and find-in-page know the whole page.
 */
export const FormPart = memo(function FormPart({ part, drawn }: Props) {
  const environment = useFormEnvironment()
  const { state, language, id } = environment
  const subscribe = useCallback((listener: () => void) => state.subscribeForm(listener), [state])
  const visible = useSyncExternalStore(subscribe, () =>
    part.fields.some((field) => state.getCell(field.code)?.visible === true),
  )
  const titleId = `${id}-${part.id}`
  const title = inLanguage(language, part.title, part.titleEn)
  return (
    <section
      className={classes.section}
      hidden={!visible}
      {...(title === '' ? {} : { 'aria-labelledby': titleId })}
      style={{ containIntrinsicSize: `auto ${part.height}px` }}
    >
      {title !== '' && (
        <h2 id={titleId} className={classes.sectionTitle}>
          {title}
        </h2>
      )}
      {drawn ? (
        // For its autofill, Chromium reads the whole <form> of a box at every key, and all boxes of the page where
        // there is no <form>.
        <form
          noValidate
          onSubmit={submitNothing}
          className={part.fields.some(({ span }) => span !== null) ? classes.grid : undefined}
        >
          {part.fields.map((field) => (
            <FieldRow key={field.code} address={field.code} environment={environment} />
          ))}
        </form>
      ) : (
        <div className={classes.placeholder} style={{ height: part.height }}>
          {part.fields.map((field) => labelOf(field, language)).join('\n')}
        </div>
      )}
    </section>
  )
})

/**
 * A page is saved while it is typed, and submitted by its own button: no button or key in a part may submit the <form>,
 * which would leave the app.
 */
function submitNothing(event: FormEvent): void {
  event.preventDefault()
}
