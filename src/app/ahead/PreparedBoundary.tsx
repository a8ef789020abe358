import { Component } from 'react'
import type { ErrorInfo, ReactNode } from 'react'
import { noteThrown } from '#src/log/capture.ts'

interface PreparedBoundaryProps {
  readonly isShown: boolean
  readonly onFailed: () => void
  readonly children: ReactNode
}

/** An error on a hidden screen is noted, and the screen is dropped; an error on a visible screen is passed on. */
export class PreparedBoundary extends Component<PreparedBoundaryProps, { readonly thrown: unknown }> {
  override state: { readonly thrown: unknown } = { thrown: null }

  static getDerivedStateFromError(thrown: unknown): { readonly thrown: unknown } {
    return { thrown }
  }

  override componentDidCatch(thrown: unknown, { componentStack }: ErrorInfo): void {
    if (this.props.isShown) return
    noteThrown('screen', thrown, componentStack ?? '')
    this.props.onFailed()
  }

  override render(): ReactNode {
    if (this.state.thrown === null) return this.props.children
    if (this.props.isShown) throw asError(this.state.thrown)
    return null
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('a screen failed', { cause: thrown })
}
