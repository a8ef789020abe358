/** The address to go to after a detour. Only this origin's own paths pass; anything else leads home. */
export function sameOriginPath(target: string | null, origin: string = window.location.origin): string {
  if (target === null) return '/'
  let url: URL
  try {
    // Resolves relative text against this origin; text that names another origin keeps it, and is refused below.
    url = new URL(target, origin)
  } catch {
    return '/'
  }
  if (url.origin !== origin) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // As text, `//host` would lead to another origin.
  return path.startsWith('//') ? '/' : path
}

/** The sign-in address that comes back to `here` afterwards. */
export function loginPath(here: string): string {
  return here === '/' ? '/login' : `/login?to=${encodeURIComponent(here)}`
}

/** The lock screen's address that comes back to `here` afterwards (specification §2, /lock). */
export function lockPath(here: string): string {
  return `/lock?to=${encodeURIComponent(here)}`
}

/** The detour that loads a project anew after its version or status has changed (specification §2, /302). */
export function reloadPath(target: string): string {
  return `/302?redirect=${encodeURIComponent(target)}`
}
