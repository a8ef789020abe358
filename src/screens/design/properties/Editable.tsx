import { Accordion } from '@mantine/core'
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import classes from '#src/screens/design/design.module.css'

/** Whether what is shown may be changed. */
export const CanEditContext = createContext(false)

/** Whether rules may be: they are a right of their own. */
export const MayRuleContext = createContext(false)

/** Boxes that take nothing where the design is only to be read. */
export function Editable({ children }: { readonly children: ReactNode }) {
  return (
    <fieldset className={classes.propertyFields} disabled={!use(CanEditContext)}>
      {children}
    </fieldset>
  )
}

/** A part of the properties: it opens for everybody, and what is in it is changed by who may. */
export function PropertyPanel({ children }: { readonly children: ReactNode }) {
  return (
    <Accordion.Panel>
      <Editable>{children}</Editable>
    </Accordion.Panel>
  )
}

/** The same of rules. */
export function RulesPanel({ children }: { readonly children: ReactNode }) {
  const may = [use(CanEditContext), use(MayRuleContext)].every(Boolean)
  return (
    <CanEditContext value={may}>
      <PropertyPanel>{children}</PropertyPanel>
    </CanEditContext>
  )
}
