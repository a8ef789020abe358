/** Counts the components that React renders, through the hook for its developer tools, in a production build too. */

interface Fiber {
  readonly tag: number
  readonly flags: number
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly alternate: Fiber | null
}

/** Function, class, forward-ref and memo components. */
const COMPONENT_TAGS: ReadonlySet<number> = new Set([0, 1, 11, 14, 15])
const PERFORMED_WORK = 1

let rendered = 0
let counting = false

/** Starts counting. Before that nothing is inspected, so that opening a form is not slowed down. */
export function startCounting(): void {
  counting = true
  rendered = 0
}

/** Stops, and gives the components rendered since the start. */
export function stopCounting(): number {
  counting = false
  return rendered
}

/** Must run before React is loaded. */
export function watchRenders(): void {
  const hook = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_id: number, root: { readonly current: Fiber }) => {
      if (counting) count(root.current, root.current.alternate)
    },
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
  }
  Object.defineProperty(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__', { value: hook })
}

function count(fiber: Fiber, before: Fiber | null): void {
  if (COMPONENT_TAGS.has(fiber.tag) && (fiber.flags & PERFORMED_WORK) !== 0) rendered += 1
  // A subtree without changes in this commit is the same object.
  if (before !== null && fiber.child === before.child) return
  for (let child = fiber.child; child !== null; child = child.sibling) count(child, child.alternate)
}
