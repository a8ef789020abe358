import type { TextPart } from './textParts.ts'
import classes from './Marked.module.css'

/** A text with what another text lacks marked: by colour and by a line below, since not everybody sees the colour. */
export function Marked({ parts }: { readonly parts: readonly TextPart[] }) {
  return (
    <span className={classes.text}>
      {parts.map(({ text, differs }, at) =>
        // Parts have no identity of their own: they are drawn anew with the text.
        // oxlint-disable-next-line react/no-array-index-key
        differs ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </span>
  )
}
