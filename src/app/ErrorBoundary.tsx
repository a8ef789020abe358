import { Component } from 'react'
import type { ReactNode } from 'react'

import { BrokenScreen } from './ErrorScreens.tsx'

interface ErrorBoundaryProps {
  readonly children: ReactNode
}

/** Shows /500 where drawing a screen failed, instead of an empty page. What was entered is in the journal by then. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    return this.state.broken ? <BrokenScreen /> : this.props.children
  }
}
