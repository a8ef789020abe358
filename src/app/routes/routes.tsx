import { lazy } from 'react'
import { Route, Routes } from 'react-router-dom'
import { BrokenScreen, ForbiddenScreen, NotFoundScreen, RedirectScreen } from '#src/app/ErrorScreens.tsx'
import { LoginScreen } from '#src/screens/login/LoginScreen.tsx'

const InsideRoutes = lazy(async () => ({ default: (await import('./InsideRoutes.tsx')).InsideRoutes }))
const SelfCheckScreen = lazy(async () => ({
  default: (await import('#src/screens/selfcheck/SelfCheckScreen.tsx')).SelfCheckScreen,
}))

/** Specification §2. Only sign-in is in the first script. */
export function AppRoutes() {
  return (
    <Routes>
      <Route path="/login" element={<LoginScreen />} />
      <Route path="/test" element={<SelfCheckScreen />} />
      <Route path="/404" element={<NotFoundScreen />} />
      <Route path="/403" element={<ForbiddenScreen />} />
      <Route path="/500" element={<BrokenScreen />} />
      <Route path="/302" element={<RedirectScreen />} />
      <Route path="*" element={<InsideRoutes />} />
    </Routes>
  )
}
