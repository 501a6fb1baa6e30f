// error: porpentine/models/model.h.*(No such file|not found)
// History stands below the models and must not know them.
#include <porpentine/history/history.h>
#ifdef PORPENTINE_MISUSE
#include <porpentine/models/model.h>
#endif
