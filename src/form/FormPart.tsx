import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { memo, useCallback, useSyncExternalStore } from 'react'
import type { FormEvent } from 'react'

import { FieldRow } from './FieldRow.tsx'
import classes from './form.module.css'
import { useFormEnvironment } from './formContext.ts'
import { countOf } from './missing/markMissing.ts'
import type { Part } from './layout/layout.ts'
import { CheckCaptions } from './review/FieldChecks.tsx'
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
  const { state, language, id, review } = environment
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
      {title !== '' && <SectionHead part={part} title={title} titleId={titleId} />}
      {drawn ? (
        // For its autofill, Chromium reads the whole <form> of a box at every key, and all boxes of the page where
        // there is no <form>.
        <form noValidate onSubmit={submitNothing} className={part.places === null ? classes.grid : classes.columns}>
          {review !== null && <CheckCaptions own={review.own} />}
          {part.fields.map((field, at) => (
            <FieldRow key={field.code} address={field.code} place={part.places?.[at]} environment={environment} />
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

interface SectionHeadProps {
  readonly part: Part
  readonly title: string
  readonly titleId: string
}

/** The title of a section, how much of it is answered, and the act that marks the rest as missing. */
function SectionHead({ part: { section }, title, titleId }: SectionHeadProps) {
  const { state, mode, words } = useFormEnvironment()
  const subscribe = useCallback((listener: () => void) => state.subscribeForm(listener), [state])
  const figure = useSyncExternalStore(subscribe, () => {
    const { asked, open } = countOf(state, section)
    return `${asked - open}/${asked}`
  })
  const [done = '', asked = ''] = figure.split('/')
  return (
    <div className={classes.sectionHead}>
      <h2 id={titleId} className={classes.sectionTitle}>
        {title}
      </h2>
      {asked !== '0' && (
        <span className={classes.sectionFigure} data-done={done === asked || undefined}>
          <span aria-hidden="true">{figure}</span>
          <span className={classes.hiddenText}>{words.sectionDone(done, asked)}</span>
        </span>
      )}
      {mode === 'input' && done !== asked && section.length > 1 && (
        <button
          type="button"
          className={classes.quiet}
          data-action="group-missing"
          data-value={section.join(' ')}
          tabIndex={-1}
          aria-label={words.groupMissingFor(title)}
          aria-haspopup="dialog"
        >
          {words.groupMissing}
        </button>
      )}
    </div>
  )
}

/**
 * A page is saved while it is typed, and submitted by its own button: no button or key in a part may submit the <form>,
 * which would leave the app.
 */
function submitNothing(event: FormEvent): void {
  event.preventDefault()
}
