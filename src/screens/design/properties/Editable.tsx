import { Accordion } from '@mantine/core'
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import classes from '#src/screens/design/design.module.css'

/** Whether the user may change what is shown. */
export const CanEditContext = createContext(false)

/** Whether the user may change rules: this is a right of its own. */
export const MayRuleContext = createContext(false)

/** Disables its boxes where the design is read only. */
export function Editable({ children }: { readonly children: ReactNode }) {
  return (
    <fieldset className={classes.propertyFields} disabled={!use(CanEditContext)}>
      {children}
    </fieldset>
  )
}

/** A part of the properties. Everybody can open it; its boxes are disabled for users who may not change them. */
export function PropertyPanel({ children }: { readonly children: ReactNode }) {
  return (
    <Accordion.Panel>
      <Editable>{children}</Editable>
    </Accordion.Panel>
  )
}

/** The same for rules. */
export function RulesPanel({ children }: { readonly children: ReactNode }) {
  const may = [use(CanEditContext), use(MayRuleContext)].every(Boolean)
  return (
    <CanEditContext value={may}>
      <PropertyPanel>{children}</PropertyPanel>
    </CanEditContext>
  )
}
