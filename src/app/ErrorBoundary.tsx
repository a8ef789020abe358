import { Component } from 'react'
import type { ErrorInfo, ReactNode } from 'react'
import { noteThrown } from '#src/log/capture.ts'

import { BrokenScreen } from './ErrorScreens.tsx'

interface ErrorBoundaryProps {
  readonly children: ReactNode
}

/**
 * Shows /500 instead of an empty page where drawing a screen failed. What was entered is in the journal by then; the
 * place of the failure is in this device's error log.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true }
  }

  override componentDidCatch(thrown: unknown, { componentStack }: ErrorInfo): void {
    noteThrown('screen', thrown, componentStack ?? '')
  }

  override render(): ReactNode {
    return this.state.broken ? <BrokenScreen /> : this.props.children
  }
}
