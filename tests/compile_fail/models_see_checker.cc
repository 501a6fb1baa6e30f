// error: porpentine/checker/check.h.*(No such file|not found)
// Models stand below the checker and must not know it.
#include <porpentine/models/model.h>
#ifdef PORPENTINE_MISUSE
#include <porpentine/checker/check.h>
#endif
